/** A field whose name holds one of these is never logged, however its words are joined. */
export const secretNames: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'authorization',
  'apikey',
  'cookie',
  'credential',
  'pepper',
  'privatekey',
  'tlskey',
  'session',
  'cardnumber',
  'iban',
];

const separators = /[-_. ]/g;
/** Anything that begins like one of our keys; the id may stay, it is public. */
const apiKey = /sp_(live|admin)_([0-9A-Za-z]{1,8})[0-9A-Za-z_]*/g;

const masked = '[redacted]';
const depthMax = 6;
const membersMax = 100;
const textMax = 4_096;

/** A copy of the fields of a log line without anything that looks secret. */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactMembers(fields, 0);
}

/** A text without API keys, cut to a sane length. */
export function redactText(text: string): string {
  const cut = text.length > textMax ? `${text.slice(0, textMax)}…` : text;
  return cut.replace(apiKey, (_, kind, id) => `sp_${kind}_${id}_${masked}`);
}

function redactMembers(fields: object, depth: number): Record<string, unknown> {
  const members = Object.entries(fields).slice(0, membersMax);
  return Object.fromEntries(
    members.map(([name, value]) => [
      redactText(name),
      isSecretName(name) ? masked : redactValue(value, depth + 1),
    ]),
  );
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > depthMax) return '[too deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    return value.slice(0, membersMax).map((item) => redactValue(item, depth + 1));
  }
  return redactMembers(value, depth);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: redactText(error.message),
    ...('code' in error ? { code: redactValue(error.code, depth + 1) } : {}),
    ...(error.stack === undefined ? {} : { stack_trace: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
  };
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(separators, '');
  return secretNames.some((secret) => plain.includes(secret));
}
