const quote = 34;
const backslash = 92;
const colon = 58;

/** No value that is looked for is longer. */
const charsMax = 2_048;

/**
 * The text of a member of a JSON object, '' without one: found without parsing the whole, in one
 * pass up to it. A name inside of another value does not count. The body was validated.
 */
export function topLevelText(body: Uint8Array, name: string): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const wanted = `"${name}"`;
  const walk = { at: 0, depth: 0, isText: false };
  for (let hit = bytes.indexOf(wanted); hit >= 0; hit = bytes.indexOf(wanted, hit + 1)) {
    walkTo(bytes, hit, walk);
    if (walk.isText || walk.depth !== 1) continue;
    const value = valueAt(bytes, hit + wanted.length);
    if (value !== undefined) return value;
  }
  return '';
}

/** Goes on to a place and keeps count of what is open there. */
function walkTo(
  bytes: Buffer,
  end: number,
  walk: { at: number; depth: number; isText: boolean },
): void {
  for (; walk.at < end; walk.at++) {
    const byte = bytes[walk.at];
    if (walk.isText) {
      if (byte === backslash) walk.at += 1;
      else if (byte === quote) walk.isText = false;
    } else if (byte === quote) walk.isText = true;
    else if (byte === 123 || byte === 91) walk.depth += 1;
    else if (byte === 125 || byte === 93) walk.depth -= 1;
  }
}

/** The text behind a colon; undefined where none stands, so that what was found is no name. */
function valueAt(bytes: Buffer, from: number): string | undefined {
  let at = afterBlanks(bytes, from);
  if (bytes[at] !== colon) return undefined;
  at = afterBlanks(bytes, at + 1);
  if (bytes[at] !== quote) return '';
  const text = bytes.subarray(at + 1, at + 1 + charsMax);
  const end = text.indexOf(quote);
  return end < 0 ? '' : text.toString('latin1', 0, end);
}

function afterBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === 10 || bytes[at] === 13) at += 1;
  return at;
}
