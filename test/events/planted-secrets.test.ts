import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSecretName } from '../../src/contract/secret-names.ts';
import { maskUserInfo } from '../../src/events/mask.ts';
import { startApi } from '../http/api/api-server.ts';
import { filesBelow } from '../support/files-below.ts';
import { tempDir } from '../support/temp-dir.ts';
import { startReceiver } from '../telemetry/exporters/receiver.ts';

/** Names that people give to secrets, in many languages. */
const names =
  'pwd1 password2 PASSWORDField newPWD Passwort Kennwort mot_de_passe motDePasse contraseña ' +
  'contrasena senha wachtwoord lösenord hasło heslo salasana jelszó Şifre пароль 密码 パスワード ' +
  'रहस्यपासवर्ड 비밀번호 รหัสผ่าน cvv2 CVC1 pan pin_2 card-no otp3 api_key_2 x-auth-token';

test('names of secrets are known in many languages, with digits and without accents', () => {
  for (const name of names.split(' ')) {
    assert.ok(isSecretName(name), name);
    assert.ok(isSecretName(encodeURIComponent(name)), name);
  }
  const plain =
    'codice syntaxid cmdprompt span japan expand company tank cider salted seedling peppermint ' +
    'classpath bypass passport compass trespass id2 q1 name_2 straße größe élan';
  for (const name of plain.split(' ')) assert.ok(!isSecretName(name), name);
});

test('user info of a URL is masked wherever it stands, and nothing moves', () => {
  const urls = [
    'http://admin:hunter2@10.0.0.1/x',
    'x=postgres://hunter2@db/y',
    'http%3A%2F%2Fadmin%3Ahunter2%40host%2F',
    "' OR 1=1 -- https://a:hunter2@b",
  ];
  for (const url of urls) {
    const masked = maskUserInfo(url);
    assert.ok(!masked.includes('hunter2'), masked);
    assert.equal(masked.length, url.length);
  }
  for (const url of ['http://a.example/@hunter', 'mail a@b.example', '//a:b/c@d']) {
    assert.equal(maskUserInfo(url), url);
  }
});

const attack = "' OR 1=1 --";

interface Planted {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where secrets stand round an attack; each is given one that stands nowhere else. */
const places: readonly ((secret: string) => Planted)[] = [
  ...names
    .split(' ')
    .flatMap((name): ((secret: string) => Planted)[] => [
      (secret) => ({ body: { [name]: secret, q: attack } }),
      (secret) => ({ body: { [name]: `${secret}${attack}` } }),
      (secret) => ({ body: { q: `${attack}&${name}=${secret}&x=1` } }),
      (secret) => ({ body: { q: JSON.stringify({ [name]: secret, x: attack }) } }),
      (secret) => ({ body: { q: encodeURIComponent(`${name}=${secret}&x=${attack}`) } }),
    ]),
  (secret) => ({ body: { url: `http://admin:${secret}@169.254.169.254/latest/meta-data/` } }),
  (secret) => ({ body: { q: `${attack} my password is ${secret} ok` } }),
  (secret) => ({ body: { q: `${attack} mein Passwort lautet: ${secret}` } }),
  (secret) => ({ body: { [`${secret}c2VjcmV0LXRva2VuLW9mLTI0`]: attack } }),
  (secret) => ({ body: { [`sp_live_${secret}_0123456789`]: attack } }),
  (secret) => ({
    body: { q: attack },
    headers: { 'x-forwarded-referer': `https://ada:${secret}@shop.example/` },
  }),
  (secret) => ({
    body: { q: attack },
    headers: { 'x-forwarded-uri': `/reset/${secret}0123456789abcdef01234567?x=1` },
  }),
  (secret) => ({
    body: { q: attack },
    headers: { 'x-forwarded-uri': `/p?to=http%3A%2F%2Fadmin%3A${secret}%40host&pwd1=${secret}` },
  }),
];

test('of secrets round blocked requests none is in database, log or webhook', async (t) => {
  const dataDir = tempDir();
  const receiver = await startReceiver(t);
  const api = await startApi(t, { dataDir, webhookUrl: `${receiver.url}/hook` });
  await api.setUp();
  const { secret: key } = await api.newKey();
  const secrets: string[] = [];
  for (const [number, plant] of places.entries()) {
    const secret = `Zq7${String(number).padStart(3, '0')}xW`;
    secrets.push(secret);
    const { body, headers } = plant(secret);
    const reply = await api.screen(key, body, headers);
    assert.equal(reply.status, 403, JSON.stringify(body));
  }
  await api.running.stop();
  const stored = filesBelow(dataDir).map((path) => readFileSync(path, 'utf8'));
  const log = JSON.stringify(api.log.told);
  const sent = receiver.received.map(({ body }) => body).join('\n');
  assert.ok(stored.join('').includes('sqli') && sent.includes('sqli'), 'the blocks are there');
  const found = secrets.flatMap((secret, number) =>
    Object.entries({ database: stored.join('\n'), log, webhook: sent })
      .filter(([, text]) => text.toLowerCase().includes(secret.toLowerCase()))
      .map(([where]) => `${where}: ${JSON.stringify(places[number]?.(secret))}`),
  );
  assert.deepEqual(found, []);
  assert.ok(secrets.length > 100);
});
