/** A last decoding that an application makes for itself, and how an attacker writes for it. */
interface Decoder {
  decode(text: string): string;
  encode(text: string): string;
}

/** Each takes every text: what is no sound encoding stays as it is. */
export const decoders = {
  percent: {
    decode: percentDecoded,
    encode: (text) => text.replace(/[%+'"\s]/g, percentEncoded),
  },
  base64: {
    decode: (text) => Buffer.from(text, 'base64').toString(),
    encode: (text) => Buffer.from(text).toString('base64'),
  },
  // An application that reads the raw body reads the escapes of its strings itself.
  json: {
    decode: jsonDecoded,
    encode: (text) => JSON.stringify(text).slice(1, -1),
  },
  // Compatibility forms of Unicode: a wide quote becomes a quote.
  nfkc: {
    decode: (text) => text.normalize('NFKC'),
    encode: (text) => text.replace(/['"]/g, wide),
  },
  html: {
    decode: htmlDecoded,
    encode: (text) => text.replace(/[&<>'"]/g, (found) => `&#${found.charCodeAt(0)};`),
  },
} as const satisfies Readonly<Record<string, Decoder>>;

/** Quotes doubled, as an application does that forgets the other ways in. */
export function doubled(text: string): string {
  return text.replaceAll("'", "''").replaceAll('"', '""');
}

/** The wide form of a character of ASCII. */
export function wide(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfe_e0);
}

function percentDecoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  return spaced.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  );
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('');
}

function jsonDecoded(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function htmlDecoded(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return named[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
