import type { Random } from '../../lib/random.ts';
import { quotedPrintable } from './charsets.ts';
import { oddBytes, text, word } from './texts.ts';

/** A multipart body and the content type that goes with it. */
export interface Multipart {
  readonly contentType: string;
  readonly body: Buffer;
}

/** multipart/form-data of every shape. */
export function multipart(random: Random): Multipart {
  const boundary = boundaryOf(random);
  const other = boundaryOf(random);
  const end = random.chance(93) ? '\r\n' : '\n';
  const parts = random.times(1 + random.below(4), () => part(random, end));
  const written: Buffer[] = parts.map((one) =>
    Buffer.concat([line(`--${boundary}${pad(random)}`, end), one]),
  );
  if (random.chance(4)) written.push(Buffer.concat([line(`--${other}`, end), part(random, end)]));
  if (random.chance(6)) written.unshift(line(`${word(random)}=${text(random)}`, end));
  if (random.chance(94)) written.push(line(`--${boundary}--`, end));
  if (random.chance(6)) written.push(line(`${word(random)}=${text(random)}`, end));
  return {
    contentType: contentTypeOf(random, boundary, other),
    body: Buffer.concat(written),
  };
}

function line(content: string, end: string): Buffer {
  return Buffer.from(`${content}${end}`);
}

/** White space behind the boundary, which the standard allows. */
function pad(random: Random): string {
  return random.chance(96) ? '' : random.pick([' ', '\t', '  ', '-', '--x']);
}

function boundaryOf(random: Random): string {
  const plain = word(random);
  if (random.chance(85)) return plain;
  return random.pick([
    `----WebKitFormBoundary${plain}`,
    `${plain} ${word(random)}`,
    `${plain}'()+_,-./:=?`,
    plain.toUpperCase(),
    `${plain}--`,
    plain.repeat(12).slice(0, 70),
    plain.repeat(30),
    'a',
    '-',
  ]);
}

function contentTypeOf(random: Random, boundary: string, other: string): string {
  const type = random.chance(90)
    ? 'multipart/form-data'
    : random.pick(['Multipart/Form-Data', 'multipart/mixed', 'multipart/related', 'multipart/x']);
  const isToken = /^[\w'+-]+$/.test(boundary);
  if (random.chance(70)) return `${type}; boundary=${isToken ? boundary : `"${boundary}"`}`;
  return random.pick([
    `${type}; boundary="${boundary}"`,
    `${type};boundary=${boundary}`,
    `${type}; BOUNDARY=${boundary}`,
    `${type}; boundary = ${boundary}`,
    `${type}; charset=utf-8; boundary=${boundary}`,
    `${type}; boundary=${boundary}; charset=utf-16le`,
    `${type}; boundary=${boundary};`,
    `${type}; boundary=${boundary}; boundary=${other}`,
    `${type}; boundary=${other}; boundary=${boundary}`,
    `${type}; boundary=${boundary}, ${type}; boundary=${other}`,
    `${type}; boundary='${boundary}'`,
    `${type}; boundary="\\${boundary}"`,
    `${type}; boundary=${boundary} ${word(random)}`,
    `${type}; boundary=${boundary},${word(random)}`,
    `${type}; boundary*=utf-8''${boundary}`,
    `${type}; boundary*0=${boundary.slice(0, 3)}; boundary*1=${boundary.slice(3)}`,
    `${type}; x="; boundary=${other}"; boundary=${boundary}`,
    `${type}; boundary=${other}`,
    `${type}, boundary=${boundary}`,
    `${type}`,
  ]);
}

function part(random: Random, end: string): Buffer {
  const heads = [disposition(random)];
  if (random.chance(35)) heads.push(`Content-Type: ${partType(random)}`);
  const coding = random.chance(12) ? random.pick(codings) : undefined;
  if (coding !== undefined) heads.push(`Content-Transfer-Encoding: ${coding}`);
  if (random.chance(6)) heads.push(random.pick(oddHeads(random)));
  if (random.chance(15)) heads.reverse();
  const gap = random.chance(98) ? end : '';
  const head = Buffer.from(`${heads.join(end)}${end}${gap}`, 'utf8');
  return Buffer.concat([head, content(random, coding), Buffer.from(end)]);
}

function content(random: Random, coding: string | undefined): Buffer {
  const plain = Buffer.from(random.chance(5) ? nested(random) : text(random));
  const odd = random.chance(6) ? Buffer.concat([plain, random.pick(oddBytes)]) : plain;
  if (random.chance(2)) return Buffer.from(plain.toString('utf8'), 'utf16le');
  if (coding === undefined || random.chance(30)) return odd;
  const lower = coding.toLowerCase();
  if (lower.includes('base64')) return Buffer.from(odd.toString('base64'));
  if (lower.includes('quoted')) return Buffer.from(quotedPrintable(odd));
  return odd;
}

const codings = ['base64', 'Base64', '"base64"', 'quoted-printable', '8bit', 'binary', 'x-unknown'];

/** A part with parts of its own, as old browsers sent several files of a field. */
function nested(random: Random): string {
  const boundary = word(random);
  const file = `Content-Disposition: file; filename="${word(random)}.txt"`;
  return `--${boundary}\r\n${file}\r\n\r\n${text(random)}\r\n--${boundary}--`;
}

function partType(random: Random): string {
  return random.pick([
    'text/plain',
    'text/plain; charset=utf-8',
    'text/plain; charset=utf-16le',
    'text/plain; charset=utf-7',
    'text/html',
    'application/json',
    'application/octet-stream',
    'image/png',
    `multipart/mixed; boundary=${word(random)}`,
    '',
    `${word(random)}/${word(random)}`,
  ]);
}

function oddHeads(random: Random): string[] {
  return [
    `X-${word(random)}: ${text(random)}`,
    `Content-Disposition: form-data; name="${word(random)}"`,
    `Content-Type: text/plain; name="${word(random)}"`,
    ` folded ${word(random)}`,
    `Content-Length: ${random.below(9)}`,
    word(random),
    `Content-Type : text/plain`,
    `Content-Encoding: gzip`,
  ];
}

function disposition(random: Random): string {
  const own = parameter(random, 'name', fieldName(random));
  const parameters = random.chance(92) ? [own] : random.pick([[], [own, own], ['name', own]]);
  if (random.chance(35)) parameters.push(...fileName(random));
  if (random.chance(6)) parameters.reverse();
  const start = random.chance(93)
    ? 'Content-Disposition: form-data'
    : random.pick([
        'content-disposition:form-data',
        'CONTENT-DISPOSITION: FORM-DATA',
        'Content-Disposition: attachment',
        'Content-Disposition: file',
        'Content-Disposition:',
        'Content-Disposition: form-data;',
        'Content-Disposition : form-data',
        'Content-Disposition: form-data, x',
        'Content-Disposition:\r\n form-data',
      ]);
  const joint = random.chance(93)
    ? '; '
    : random.pick([';', ' ; ', ';\t', ';\r\n ', ' ', ', ', ';;']);
  return [start, ...parameters].join(joint);
}

function fieldName(random: Random): string {
  if (random.chance(75)) return word(random);
  return random.pick([text(random), `${word(random)}[]`, `${word(random)}[a]`, '', '__proto__']);
}

function fileName(random: Random): string[] {
  const plain = `${word(random)}${random.pick(['.txt', '.png', '', `/${word(random)}.txt`])}`;
  const made = parameter(random, 'filename', random.chance(80) ? plain : text(random));
  return random.pick([
    [made],
    [made],
    [made],
    ['filename=""'],
    ['filename='],
    ['filename'],
    [`filename*=UTF-8''${word(random)}.txt`],
    ["filename*=utf-8''"],
    [made, `filename*=UTF-8''${word(random)}.txt`],
    [made, `filename="${word(random)}.txt"`],
    [made, 'filename=""'],
    ['filename=""', made],
    [`filename*0="${word(random)}"; filename*1=".txt"`],
    [`FileName="${word(random)}.txt"`],
    [`filename ="${word(random)}.txt"`],
    [`filename= "${word(random)}.txt"`],
    [`filename="C:\\${word(random)}\\${word(random)}.txt"`],
    [`filename='${word(random)}.txt'`],
    ['filename=" "'],
    [`filename="${word(random)}`],
  ]);
}

function parameter(random: Random, key: string, value: string): string {
  const clean = value.replace(/[\r\n\0]/g, ' ');
  if (random.chance(80)) return `${key}="${clean.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return random.pick([
    `${key}=${clean.replace(/[\s;"]/g, '_')}`,
    `${key}="${clean.replaceAll('"', '%22')}"`,
    `${key}='${clean}'`,
    `${key.toUpperCase()}="${clean.replaceAll('"', '')}"`,
    `${key}="${clean}"`,
    `${key}*=utf-8''${encodeURIComponent(clean)}`,
    `${key}*=iso-8859-1'en'${encodeURIComponent(clean)}`,
    `${key}="=?utf-8?B?${Buffer.from(clean).toString('base64')}?="`,
    `${key}=${clean}`,
  ]);
}
