/** What ASCII from the space on is in code page 037, the EBCDIC of IBM's mainframes. */
const ebcdic = Buffer.from(
  '405a7f7b5b6c507d4d5d5c4e6b604b61f0f1f2f3f4f5f6f7f8f97a5e4c7e6e6f7cc1c2c3c4c5c6c7c8c9d1d2d3d4d5d6' +
    'd7d8d9e2e3e4e5e6e7e8e9bae0bbb06d79818283848586878889919293949596979899a2a3a4a5a6a7a8a9c04fd0a1',
  'hex',
);

type Encode = (text: string) => Buffer;

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function utf32(text: string, isLittle: boolean): Buffer {
  const points = [...text];
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries()) {
    const code = point.codePointAt(0) ?? 0;
    if (isLittle) bytes.writeUInt32LE(code, index * 4);
    else bytes.writeUInt32BE(code, index * 4);
  }
  return bytes;
}

/** Everything that is no letter or digit in base64, as UTF-7 allows it. */
function utf7(text: string): Buffer {
  const written = text.replace(/[^a-zA-Z0-9]+/g, (run) => {
    return `+${utf16be(run).toString('base64').replace(/=+$/, '')}-`;
  });
  return Buffer.from(written, 'latin1');
}

function utf7imap(text: string): Buffer {
  return Buffer.from(utf7(text).toString('latin1').replaceAll('+', '&').replaceAll('/', ','));
}

function ibm037(text: string): Buffer {
  return Buffer.from(Array.from(text, (one) => ebcdic[one.charCodeAt(0) - 32] ?? 0x6f));
}

/** Names of charsets, each with the way to write a text in it. */
export const charsets: readonly (readonly [name: string, encode: Encode])[] = [
  ['utf-8', (text) => Buffer.from(text)],
  ['UTF8', (text) => Buffer.from(text)],
  ['us-ascii', (text) => Buffer.from(text, 'latin1')],
  ['iso-8859-1', (text) => Buffer.from(text, 'latin1')],
  ['windows-1252', (text) => Buffer.from(text, 'latin1')],
  ['utf-16le', (text) => Buffer.from(text, 'utf16le')],
  ['utf-16le', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['utf-16be', utf16be],
  ['utf-16', utf16be],
  ['utf-16', (text) => Buffer.from(text, 'utf16le')],
  ['utf-16', (text) => utf16be(`\ufeff${text}`)],
  ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['ucs-2', (text) => Buffer.from(text, 'utf16le')],
  ['unicode', (text) => Buffer.from(text, 'utf16le')],
  ['utf-32le', (text) => utf32(text, true)],
  ['utf-32be', (text) => utf32(text, false)],
  ['utf-32', (text) => utf32(`\ufeff${text}`, false)],
  ['utf-7', utf7],
  ['utf-7-imap', utf7imap],
  ['cp037', ibm037],
  ['shift_jis', (text) => Buffer.from(text, 'latin1')],
  ['x-unknown', (text) => Buffer.from(text)],
];

/** RFC 2045, with all that is not a letter or a digit escaped. */
export function quotedPrintable(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[^a-zA-Z0-9]/g, (one) => {
    return `=${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
