import type { Random } from '../../lib/random.ts';
import type { Header } from '../engine/wire-request.ts';
import { oneByteEach } from './target.ts';
import { attacks, name, percentEncoded, text, word } from './texts.ts';

/** Headers beside those of the body: any name, any value, some of them twice. */
export function otherHeaders(random: Random): Header[] {
  const made: Header[] = [['Host', random.chance(95) ? 'localhost' : `${word(random)}.example`]];
  const count = random.chance(50) ? 0 : 1 + random.below(3);
  for (let index = 0; index < count; index += 1) {
    const key = headerName(random);
    made.push([key, headerValue(random)]);
    if (random.chance(15)) made.push([cased(key, random), headerValue(random)]);
  }
  if (random.chance(20)) made.push(...cookies(random));
  if (random.chance(4)) made.push(['Authorization', authorization(random)]);
  return made;
}

function headerName(random: Random): string {
  return random.chance(30) ? `X-${word(random)}` : random.pick(names);
}

function cased(key: string, random: Random): string {
  return random.pick([key, key.toLowerCase(), key.toUpperCase()]);
}

/** A field value: no line breaks, no NUL; anything else. */
export function headerValue(random: Random): string {
  const value = random.chance(30) ? random.pick(attacks) : text(random);
  return oneByteEach(value)
    .replace(/[\r\n\0\x7f]/g, ' ')
    .trim();
}

function authorization(random: Random): string {
  const user = random.chance(50) ? random.pick(attacks) : word(random);
  const basic = Buffer.from(`${user}:secret`).toString('base64');
  return random.pick([`Basic ${basic}`, `basic  ${basic}`, `Bearer ${word(random)}`]);
}

function cookies(random: Random): Header[] {
  const pairs = random.times(1 + random.below(3), () => cookie(random));
  const joint = random.pick(['; ', '; ', '; ', ';', ', ', ';; ', ' ; ']);
  if (random.chance(85)) return [['Cookie', pairs.join(joint)]];
  return pairs.map((pair): Header => ['Cookie', pair]);
}

function cookie(random: Random): string {
  const key = random.chance(85) ? word(random) : name(random).replace(/[\r\n\0;]/g, '');
  const value = text(random);
  const written = random.pick([
    percentEncoded(value, random),
    percentEncoded(value, random),
    encodeURIComponent(value.toWellFormed()),
    `"${percentEncoded(value, random)}"`,
    `j:${JSON.stringify({ [word(random)]: value })}`,
    `j%3A${encodeURIComponent(JSON.stringify({ [word(random)]: value }).toWellFormed())}`,
    `s:${word(random)}.${word(random)}`,
    Buffer.from(value).toString('base64'),
    `"${value.replace(/[",;\\]/g, octal)}"`,
    `${word(random)}=${word(random)}`,
    value,
  ]);
  const line = random.chance(94) ? `${key}=${written}` : random.pick([written, `=${written}`, key]);
  return oneByteEach(line).replace(/[\r\n\0\x7f]/g, ' ');
}

/** As Python's cookies write what they may not hold. */
function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

const names = [
  ...['User-Agent', 'Referer', 'Origin', 'Accept', 'Accept-Language', 'Accept-Encoding', 'From'],
  ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'Via', 'Range'],
  ...['X-Api-Version', 'X-Request-Id', 'X-Tenant-Id', 'X-Csrf-Token', 'X-Requested-With'],
  ...['If-None-Match', 'If-Modified-Since', 'If-Match', 'Content-Language', 'Content-Location'],
  ...['Cache-Control', 'Pragma', 'DNT', 'Date', 'X-HTTP-Method-Override', 'X-Original-URL'],
  ...['X_Under_Score', 'Content-MD5', 'Content-Disposition', 'Prefer', 'Link', 'Traceparent'],
  ...['Sec-Fetch-Site', 'X-Real-IP', 'True-Client-IP', 'Max-Forwards', 'Warning', 'Baggage'],
];
