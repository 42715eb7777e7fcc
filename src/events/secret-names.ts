/** A name that holds one of these is secret, however its words are joined. */
const anywhere: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'kennwort',
  'secret',
  'token',
  'authorization',
  'apikey',
  'cookie',
  'credential',
  'session',
  'csrf',
  'xsrf',
  'privatekey',
  'accesskey',
  'cardnumber',
  'creditcard',
  'iban',
  'socialsecurity',
];

/** Words that are too short to be looked for inside others. */
const wholeWords: ReadonlySet<string> = new Set([
  'pass',
  'pwd',
  'pw',
  'pin',
  'otp',
  'totp',
  'mfa',
  'cvv',
  'cvc',
  'csc',
  'ssn',
  'sid',
  'jwt',
  'auth',
  'bearer',
  'card',
  'cc',
  'pan',
  'nonce',
  'signature',
]);

/** At the end of a name only: an `apiKey` is secret, a `keyId` and a `keyword` are not. */
const lastWord = 'key';

/** Whether what goes by this name is likely a secret. */
export function isSecretName(name: string): boolean {
  // Longer texts are values that were taken for a name; their beginning tells enough.
  const words = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const joined = words.join('');
  return (
    anywhere.some((secret) => joined.includes(secret)) ||
    words.some((word) => wholeWords.has(word)) ||
    words.at(-1) === lastWord
  );
}

/** Whether a member on the way to a place has such a name. */
export function isSecretPointer(pointer: string): boolean {
  return pointer
    .split('/')
    .some((segment) => isSecretName(segment.replaceAll('~1', '/').replaceAll('~0', '~')));
}
