import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFileHead, plainBoundaryIn } from '../../src/client-request/multipart-head.ts';
import { MultipartSieve } from '../../src/client-request/multipart-sieve.ts';

const disposition = 'Content-Disposition: form-data; name="f"; filename="a.png"';
const fileHead = `${disposition}\r\nContent-Type: image/png`;
const field = (value: string) =>
  `--frontier\r\nContent-Disposition: form-data; name="q"\r\n\r\n${value}\r\n`;
const file = (content: string, head = fileHead) => `--frontier\r\n${head}\r\n\r\n${content}\r\n`;
const end = '--frontier--\r\n';
const content = 'PNG\r\n--front\r\n-\r\n--frontie\0\xff--';

function sieved(body: string, chunkBytes = body.length): string {
  const sieve = new MultipartSieve('frontier');
  const bytes = Buffer.from(body, 'latin1');
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    sieve.take(bytes.subarray(at, at + chunkBytes));
  }
  sieve.end();
  const kept = sieve.all().toString('latin1');
  assert.equal(sieve.keptBytes, kept.length);
  return kept;
}

describe('the sieve of multipart', () => {
  it('drops the content of files and keeps all else, wherever the chunks are cut', () => {
    const body = `preamble\r\n${file(content)}${field('a')}${file(content)}${file('')}${field('b')}${end}epilogue`;
    const expected = `preamble\r\n${file('')}${field('a')}${file('')}${file('')}${field('b')}${end}epilogue`;
    for (let bytes = 1; bytes <= body.length; bytes += 1) {
      assert.equal(sieved(body, bytes), expected, `chunks of ${bytes}`);
    }
  });

  it('knows at each cut whether it is in a file, and what is new', () => {
    const sieve = new MultipartSieve('frontier');
    sieve.take(Buffer.from(`${field('a')}--frontier\r\n${fileHead}\r\n`));
    assert.equal(sieve.isInFile, false);
    sieve.take(Buffer.from('\r\ncontent'));
    assert.ok(sieve.isInFile && sieve.hasNews);
    assert.equal(String(sieve.takeNews()), `${field('a')}--frontier\r\n${fileHead}\r\n\r\n`);
    sieve.take(Buffer.from('more content\r\n--fro'));
    assert.ok(sieve.isInFile && !sieve.hasNews);
    sieve.take(Buffer.from('ntier\r\nContent-'));
    assert.ok(!sieve.isInFile && sieve.hasNews);
    assert.equal(String(sieve.takeNews()), '\r\n--frontier\r\n');
  });

  it('keeps what follows a boundary in the middle of a file', () => {
    const inner = 'Content-Disposition: form-data; name="q"';
    for (const inside of [
      `--frontier\r\n${inner}\r\n\r\nattack`,
      `x--frontier\r\n${inner}\r\n\r\nattack`,
      `x\n--frontier\n${inner}\n\nattack`,
      `x\r\n--frontier \r\n${inner}\r\n\r\nattack`,
      `x\r\n--frontierish\r\n${inner}\r\n\r\nattack`,
      `x\r\n--frontier--\r\n--frontier\r\n${inner}\r\n\r\nattack`,
    ]) {
      const kept = sieved(`${file(inside)}${end}`);
      assert.match(kept, /name="q"/, inside);
      assert.match(kept, /attack/, inside);
      // In a line of its own: else it would be read as content of the file.
      assert.match(kept, /image\/png\r\n\r\n\r\n--frontier/, inside);
    }
  });

  it('keeps a file in what is a field to some', () => {
    const hidden = `--frontier\r\n${fileHead}\r\n\r\nattack`;
    for (const value of [`x${hidden}`, `x\n${hidden}`, hidden.replace('\r\n', '\n')]) {
      assert.match(sieved(field(value)), /attack/, value);
    }
    assert.match(sieved(file('attack', `${fileHead}\r\nX: ${'x'.repeat(5_000)}`)), /attack/);
    assert.match(sieved(`--frontier\r\n\r\n${fileHead}\r\n\r\nattack`), /attack/);
  });

  it('takes a part for a file only where every parser does', () => {
    const type = '\r\nContent-Type: image/png';
    const file = (parameters: string) => `Content-Disposition: form-data; ${parameters}`;
    for (const head of [
      fileHead,
      `content-type:image/svg+xml; charset=utf-8\r\n${disposition}\r\nContent-Length: 5`,
      file('name=f; filename=a.png') + type,
      file('filename="ä b (1).tar.gz"; name="f[]"') + type,
      file(`name=f; filename=a.png; filename*=utf-8''%C3%A4.png`) + type,
    ]) {
      assert.ok(isFileHead(Buffer.from(head).toString('latin1')), head);
    }
    for (const head of [
      '',
      disposition,
      file('name="f"') + type,
      file('name="f"; filename=""') + type,
      file('name="f"; filename="  "') + type,
      file('name="f"; filename="a/"') + type,
      file('name="f"; filename=".."') + type,
      file('filename="a"') + type,
      file('name=""; filename="a"') + type,
      file('name="f"; filename="a"; filename="b"') + type,
      file('name="f"; filename="a"; name="b"') + type,
      file(`name="f"; filename*=utf-8''a`) + type,
      file(`name="f"; filename="a"; filename*=utf-8''`) + type,
      file(`name="f"; filename="a"; filename*=utf-8''%20`) + type,
      file('name="f"; filename="a\\"; x="b"') + type,
      file('name="f; filename="a"') + type,
      file('name="f"; filename="a"; size=1') + type,
      `Content-Disposition: attachment; name="f"; filename="a"${type}`,
      `${disposition}\r\nContent-Type:`,
      `${disposition}\r\nContent-Type: image`,
      `${disposition}\r\nContent-Type: multipart/mixed; boundary=x`,
      `${fileHead}\r\n${disposition}`,
      `${fileHead}${type}`,
      `${fileHead}\r\n folded: x`,
      `${fileHead}\r\nX : x`,
      `${fileHead}\nX: x`,
      `${fileHead}\rX: x`,
      `${fileHead}\0`,
    ]) {
      assert.ok(!isFileHead(head), JSON.stringify(head));
    }
  });

  it('reads only a boundary that all parsers read alike', () => {
    const type = 'multipart/form-data; boundary=';
    assert.equal(plainBoundaryIn(`${type}--x`), '--x');
    assert.equal(plainBoundaryIn(`${type}"a b"`), undefined);
    assert.equal(plainBoundaryIn(`${type}"a:b"`), 'a:b');
    assert.equal(plainBoundaryIn(`${type}a; charset=x`), 'a');
    for (const other of [`${type}a; boundary=b`, `${type}a; x=y`, `${type}a,b`, type]) {
      assert.equal(plainBoundaryIn(other), undefined, other);
    }
    assert.equal(plainBoundaryIn('multipart/mixed; boundary=a'), undefined);
  });

  it('holds little of a long file, and reads it once', () => {
    const sieve = new MultipartSieve('frontier');
    sieve.take(Buffer.from(`--frontier\r\n${fileHead}\r\n\r\n`));
    const kept = sieve.keptBytes;
    const chunk = Buffer.alloc(65_536, '\r\n--frontie');
    for (let i = 0; i < 200; i += 1) sieve.take(chunk);
    assert.equal(sieve.keptBytes, kept);
    assert.ok(sieve.isInFile);
  });
});
