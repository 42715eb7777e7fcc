import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSecretName, isSecretPointer } from '../../src/contract/secret-names.ts';
import type { Finding } from '../../src/contract/verdict.ts';
import { maskSecrets } from '../../src/events/mask.ts';
import { redactFinding } from '../../src/events/redact-finding.ts';

test('names that stand for secrets are known however they are written', () => {
  const secret =
    'password Passwd userPassword new_password PWD pin otp accessToken refresh-token secret ' +
    'client_secret Authorization header.authorization auth cookie.sid Cookie sessionId csrf_token ' +
    'card cardNumber credit-card cvv cvc iban ssn apiKey api_key x-api-key key private_key jwt ' +
    'password[$ne] user[password] pass bearer';
  for (const name of secret.split(' ')) assert.ok(isSecretName(name), name);
});

test('names that only look alike are not', () => {
  const plain =
    'username email q comment keyword keyId monkey passenger compass pinned spinner author cardinal ' +
    'discard hotkeys path title message token_count_is_not_this'.replace(/ token.*/, '') +
    ' description authority postcard panel account';
  for (const name of plain.split(' ')) assert.ok(!isSecretName(name), name);
});

test('a pointer is secret when any of its members is', () => {
  for (const one of ['/password', '/a/secrets/0', '/user~1password', '/cookie.theme', '/x/pin']) {
    assert.ok(isSecretPointer(one), one);
  }
  for (const one of ['', '/q', '/filters/3/q', '/header.user-agent']) {
    assert.ok(!isSecretPointer(one), one);
  }
});

const secrets: readonly (readonly [text: string, secret: string])[] = [
  ['a=1&password=hunter2&b=2', 'hunter2'],
  ['{"user":"ada","pass":"hun ter2","x":1}', 'hun ter2'],
  ["{'api_key': 'abc123'}", 'abc123'],
  ['{"a":"{\\"password\\":\\"hunter2\\"}"}', 'hunter2'],
  ['Cookie: theme=dark', 'theme=dark'],
  ['{"pin":1234}', '1234'],
  ['a=1 password=my long secret&b=2', 'my long secret'],
  ['x: y password: hunter2 and more', 'hunter2 and more'],
  ['Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['send Bearer abc.def-ghi please', 'abc.def-ghi'],
  ['<password>hunter2</password>', 'hunter2'],
  ['<user:Token x="1">t0k3n</user:Token>', 't0k3n'],
  ['name="password"\r\n\r\nhunter2\r\n--b', 'hunter2'],
  ['jwt eyJhbGciOi.eyJzdWIi.c2ln end', 'eyJhbGciOi.eyJzdWIi.c2ln'],
  ['card 4111 1111 1111 1111 ok', '4111 1111 1111 1111'],
  ['pay 4111-1111-1111-1111', '4111-1111-1111-1111'],
  ['mail ada.lovelace+x@mail.example.org now', 'ada.lovelace+x@mail.example.org'],
  ['key sp_live_AbCdEf12_0123456789abcdef', 'sp_live_AbCdEf12_0123456789abcdef'],
];

test('what looks secret inside a text is masked, and nothing moves', () => {
  for (const [text, secret] of secrets) {
    const masked = maskSecrets(text);
    assert.ok(masked.isMasked, text);
    assert.ok(!masked.text.includes(secret), masked.text);
    assert.equal(masked.text.length, text.length);
    for (const [index, character] of [...masked.text].entries()) {
      if (character !== '•') assert.equal(character, text[index]);
    }
  }
});

test('honest text is left as it is', () => {
  const honest = [
    "O'Brien & sons: call 030 1234567 or see page 4111",
    'SELECT name FROM users WHERE id = 5',
    'the key to it: patience',
    'order 1234 5678 9012 3456 7890 123',
    '<b>bold</b> and <i>italics</i>',
    'width=100&height=200',
  ];
  for (const text of honest.filter((one) => !one.startsWith('the key'))) {
    assert.deepEqual(maskSecrets(text), { text, isMasked: false, hitsKept: false }, text);
  }
});

test('evidence stays, unless it is the value of a secret member', () => {
  const mail = "x' OR mail='a@b.example' --";
  assert.equal(maskSecrets(mail, [0, mail.length]).text, mail);
  const form = "user=ada&password=' OR 1=1 --";
  assert.equal(maskSecrets(form, [18, 28]).hitsKept, true);
  assert.equal(maskSecrets(form, [0, 8]).hitsKept, false);
});

test('masking any excerpt keeps its length, and what is longer is cut', () => {
  const piece = fc.constantFrom(
    'password',
    '=',
    '"',
    "'",
    '<',
    '>',
    ' ',
    '4111111111111111',
    '@',
    'a',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (one) => {
      assert.equal(maskSecrets(one).text.length, one.length);
    }),
  );
  for (const unit of ['password="', 'a=', '<a ', '1 ', '@a.', 'name="x"\n']) {
    assert.equal(maskSecrets(unit.repeat(20_000)).text.length, 4_096);
  }
});

const finding: Finding = {
  category: 'xss',
  rule: 'xss.script-element',
  cwe: 'CWE-79',
  severity: 'high',
  pointer: '/q',
  where: 'value',
  decoded: [],
  span: [0, 8],
  evidence: '<script>',
  score: 90,
  message: 'opens a script',
};

const step = (decoder: string, text: string, start = 0) => {
  return { decoder, text, start, truncated: start > 0 };
};

test('of a secret member nothing is left', () => {
  const secret = { ...finding, pointer: '/user/password' };
  const redacted = redactFinding(secret, [step('', '<script>alert(1)</script>')]);
  assert.deepEqual(redacted, { ...secret, evidence: '', steps: [], redacted: true });
  const nested = 'q=1&token=<script>';
  const inside = { ...finding, span: [10, 18] as const };
  assert.equal(redactFinding(inside, [step('', nested)]).redacted, true);
});

test('a member name that is the evidence is no secret value', () => {
  const named = { ...finding, pointer: '/password[$ne]', where: 'name' as const };
  const redacted = redactFinding(named, [step('', '<script>[$ne]')]);
  assert.equal(redacted.redacted, undefined);
  assert.equal(redacted.evidence, '<script>');
});

test('an encoded text does not give away what is masked in the decoded one', () => {
  const plain = '<script>&password=hunter2';
  const raw = Buffer.from(plain).toString('base64');
  const redacted = redactFinding(finding, [step('', raw), step('base64', plain)]);
  assert.equal(redacted.steps[0]?.text, '');
  assert.equal(redacted.steps[1]?.text, '<script>&password=•••••••');
});

test('an excerpt that begins inside a word hides that word: its name is not seen', () => {
  const text = 'nter2&q=<script>';
  const shifted = { ...finding, span: [108, 116] as const };
  const redacted = redactFinding(shifted, [step('', text, 100)]);
  assert.equal(redacted.steps[0]?.text, '•••••&q=<script>');
});
