/** Words for a password, in many languages: a name that holds one is that of a password. */
const passwords: readonly string[] = [
  ...['password', 'passwd', 'passphrase', 'passcode', 'passwort', 'userpass', 'loginpass'],
  ...['kennwort', 'losungswort', 'motdepasse', 'codesecret', 'contrasen'],
  ...['contrasinal', 'palavrapasse', 'palavrachave', 'parolachiave', 'wachtwoord', 'losenord'],
  ...['adgangskode', 'passord', 'salasana', 'jelszo', 'kodeord', 'haslo', 'heslo', 'parola'],
  ...['slaptazodis', 'katasandi', 'matkhau', 'sifre', 'contrasegna', 'kontrasena'],
  ...['пароль', 'парола', 'лозинка', 'κωδικος', 'סיסמה', 'סיסמא', 'كلمةالمرور', 'كلمةالسر'],
  ...['密码', '密碼', '口令', 'パスワード', '暗証番号', '비밀번호', '암호', 'पासवर्ड', 'รหัสผ่าน'],
];

/** The same, where they are a word of their own. */
const shortPasswords: readonly string[] = [
  ...['pass', 'pwd', 'passw', 'pswd', 'psw', 'pw', 'mdp', 'senha', 'clave'],
];

/**
 * A name that holds one of these is secret, however its words are joined and whatever digits stand
 * in it.
 */
const anywhere: readonly string[] = [
  ...passwords,
  ...['secret', 'token', 'authorization', 'authenticat', 'apikey', 'cookie', 'credential'],
  ...['session', 'csrf', 'xsrf', 'privatekey', 'accesskey', 'signingkey', 'encryptionkey'],
  ...['cardnumber', 'creditcard', 'debitcard', 'cardno', 'ccnum', 'securitycode', 'cardcode'],
  ...['iban', 'socialsecurity', 'accountnumber', 'routingnumber', 'sortcode', 'geheim'],
  ...['onetimecode', 'recoverycode', 'verificationcode', 'backupcode', 'connectionstring'],
];

/** Words that are too short, or too common inside of others, to be looked for there. */
const wholeWords: ReadonlySet<string> = new Set([
  ...shortPasswords,
  ...['pin', 'otp', 'totp', 'hotp', 'mfa', 'tan', 'cvv', 'cvc', 'csc', 'cvn', 'pepper', 'ssn'],
  ...['sid', 'jwt', 'auth', 'bearer', 'card', 'cc', 'pan', 'nonce', 'signature', 'hmac', 'salt'],
  ...['seed', 'mnemonic', 'nip', 'pesel', 'bsn', 'cpf', 'oauth', 'creds'],
  ...['пин', 'секрет', 'ключ', 'токен'],
]);

/** At the end of a name only: an `apiKey` is secret, a `keyId` and a `keyword` are not. */
const lastWord = 'key';

const joinedWords = /([\p{Ll}\p{N}])(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const noLetters = /[^\p{L}]+/u;
const marks = /\p{M}/gu;
/** Letters that have no decomposition. */
const barred: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', ı: 'i', đ: 'd' };
const barredLetters = /[łøßıđ]/g;

/** Whether what goes by this name is likely a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return (
    holds(plainAnywhere, words) ||
    words.some((word) => wholeWords.has(word)) ||
    words.at(-1) === lastWord
  );
}

/** Whether what goes by this name is likely a password. */
export function isPasswordName(name: string): boolean {
  const words = wordsOf(name);
  return holds(plainPasswords, words) || words.some((word) => shortPasswords.includes(word));
}

function holds(secrets: readonly string[], words: readonly string[]): boolean {
  const joined = words.join('');
  return secrets.some((secret) => joined.includes(secret));
}

function wordsOf(name: string): string[] {
  // Longer texts are values that were taken for a name; their beginning is enough.
  const split = decoded(name.slice(0, 200)).normalize('NFKC').replace(joinedWords, '$1$3 $2');
  return plainText(split)
    .split(noLetters)
    .filter((word) => word !== '');
}

/** Whether a field on the path to a place has such a name. */
export function isSecretPointer(pointer: string): boolean {
  return pointer
    .split('/')
    .some((segment) => isSecretName(segment.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** Lower case without accents: people write `contraseña` and `contrasena`. */
function plainText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(marks, '')
    .replace(barredLetters, (letter) => barred[letter] ?? letter)
    .normalize('NFC');
}

/** A name in a form or a query may be percent-encoded. */
function decoded(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Without marks, as names are compared: in some scripts vowels are marks. */
const plainAnywhere: readonly string[] = anywhere.map(plainText);
const plainPasswords: readonly string[] = passwords.map(plainText);
