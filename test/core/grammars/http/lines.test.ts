import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fieldsBehindFirst,
  isDocumentStart,
  isMessageMember,
  isMessagePart,
  lineGrammar,
} from '../../../../src/core/grammars/http/lines.ts';

function check(text: string, expected: readonly string[]): void {
  const { lines } = lineGrammar.read(text);
  assert.deepEqual(
    lines.map((line) => {
      const value = text.slice(line.valueStart, line.end);
      return `${line.field}=${value}${line.afterBlank ? ' (blank)' : ''}`;
    }),
    expected,
    JSON.stringify(text),
  );
}

describe('lines', () => {
  it('reads the lines behind the first', () => {
    check('one', []);
    check('x\r\nSet-Cookie: a=b', ['set-cookie=a=b']);
    check('x\nA : b\nplain text', ['a=b', '=plain text']);
    check('x\rTo:y', ['to=y']);
    check('\n\rTo:y', ['to=y (blank)']);
    check('x\n\nTo: y', ['to=y (blank)']);
    check('x\r\n\r\nTo: y', ['to=y (blank)']);
    check('x\n \nTo: y', ['to=y (blank)']);
    check('x\n', []);
  });

  it('keeps the first line apart', () => {
    assert.equal(lineGrammar.read('abc\ndef').firstEnd, 3);
    assert.equal(lineGrammar.read('abc').firstEnd, 3);
  });

  it('gives the fields that follow at once', () => {
    const fieldsOf = (text: string) =>
      fieldsBehindFirst(text, lineGrammar.read(text)).map((line) => line.field);
    assert.deepEqual(fieldsOf('x\nA: 1\nB: 2\nplain\nC: 3'), ['a', 'b']);
    assert.deepEqual(fieldsOf('x\nplain\nA: 1'), []);
    assert.deepEqual(fieldsOf('x\n  a: 1'), []);
    assert.deepEqual(fieldsOf('x\nHTTP/1.1 200 OK\nA: 1'), ['', 'a']);
  });

  it('reads no more than the start of a long text', () => {
    assert.ok(lineGrammar.read('a: b\n'.repeat(10_000)).lines.length < 100);
  });

  it('knows the start of a document from a value', () => {
    for (const first of ['Subject: x', 'HTTP/1.1 200 OK', 'GET / HTTP/1.1', '--b', '> x', '## x']) {
      assert.equal(isDocumentStart(first), true, first);
    }
    for (const first of ['x', 'https://www.example.com/', '/index.html', '#', 'anna@example.com']) {
      assert.equal(isDocumentStart(first), false, first);
    }
  });

  it('knows members for text of several lines', () => {
    for (const name of ['message', 'body', 'body.comment', 'post[content]', 'user_bio']) {
      assert.equal(isMessageMember(name), true, name);
    }
    for (const name of ['reply_to', 'subject', 'email', 'url', 'bodyguard']) {
      assert.equal(isMessageMember(name), false, name);
    }
  });

  it('knows the prompt of a shell and the marks of a trace from a value', () => {
    for (const first of [
      '$ curl -I https://a.example/',
      'anna@host:~$ ls',
      'C:\\app> dir',
      '< a',
    ]) {
      assert.equal(isDocumentStart(first), true, first);
    }
    for (const first of ['$x', '%0d', 'C:\\app', '<a']) {
      assert.equal(isDocumentStart(first), false, first);
    }
  });

  it('goes past a folded first line to the fields behind it', () => {
    const countOf = (text: string) => fieldsBehindFirst(text, lineGrammar.read(text)).length;
    assert.equal(countOf('x\n y\nA: 1'), 2);
    assert.equal(countOf('x\ny\nA: 1'), 0);
  });

  it('knows the text area of a form by its name and by how people begin', () => {
    const form = ['percent', 'form:comment'];
    assert.equal(isMessagePart('Hello Anna', form), true);
    assert.equal(isMessagePart('Hi', form), true);
    assert.equal(isMessagePart('name=Anna&comment=Dear all,', ['percent']), true);
    assert.equal(isMessagePart('en', form), false, 'a value of one word');
    assert.equal(isMessagePart('Hello Anna', ['percent', 'form:lang']), false);
    assert.equal(isMessagePart('Hello Anna', ['percent', ...form]), false, 'encoded twice');
    assert.equal(isMessagePart('Hello Anna', ['percent']), false, 'no form');
  });
});
