import { categories } from '../../category.ts';
import { eventFacts, triageVerdicts } from '../../event.ts';
import { keyScopes } from '../../key-bounds.ts';
import { limits } from '../../limits.ts';
import { channelKinds, mailSecurities, thresholdFacts } from '../../notification.ts';
import { contextParts } from '../../request.ts';
import { closed, flag, moment, role, type Schema, severity, textTo } from './build.ts';

const category: Schema = { enum: categories };
/** Printable, and not only spaces. */
const name: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{Cc}\\p{Cs}]*[^\\p{Cc}\\p{Cs}\\s][^\\p{Cc}\\p{Cs}]*$',
};
const password: Schema = { type: 'string', minLength: 12, maxLength: 256 };
/** Six digits, or a recovery code. */
const code: Schema = textTo(64);
const policyId: Schema = textTo(64);
const scopes: Schema = {
  type: 'array',
  items: { enum: keyScopes },
  minItems: 1,
  uniqueItems: true,
};
/** Addresses and networks; none for everywhere. */
const networks: Schema = { type: 'array', items: textTo(64), maxItems: limits.keyNetworksMax };
/** A `PolicyDocument`. Validated by the policies as a whole, with a pointer for each fault. */
export const document: Schema = { type: 'object' };
const comment: Schema = { type: 'string', maxLength: 1_000 };
const version: Schema = { type: 'integer', minimum: 1 };
const pointer: Schema = { type: 'string', maxLength: limits.policyPointerCharsMax };

/** What an address of the list of events can hold. */
const filterNames = [...eventFacts, 'decision', 'triage', 'q', 'from', 'to', 'range', 'group'];

const place = { pointer };
const target = {
  category,
  rule: textTo(100),
  method: textTo(32),
  path: textTo(limits.policyPointerCharsMax),
  clients: {
    type: 'array',
    items: textTo(64),
    minItems: 1,
    maxItems: limits.exclusionClientsMax,
  },
};
const oneTarget = { oneOf: [{ required: ['category'] }, { required: ['rule'] }] };

const explainContext = closed(
  {},
  Object.fromEntries(
    contextParts.map(({ part }) => [part, { type: 'string', maxLength: limits.headBytesMax }]),
  ),
);

/** A body with an example that the document shows, and that tools send. */
function shown(schema: Schema, example: object): Schema {
  return { ...schema, examples: [example] };
}

const ada = { name: 'ada', password: 'correct horse battery' };
const editorExclusion = { pointer: '/articles/*/html/**', category: 'xss' };
const watch = { mode: 'monitor', sensitivity: 3 };

/** The bodies that the routes of the management API take. */
export const bodies = {
  setUp: shown(closed({ token: textTo(200), name, password }), {
    token: 'the one that the start printed',
    ...ada,
  }),
  signIn: shown(closed({ name: textTo(100), password: textTo(256) }, { code }), ada),
  beginSecondFactor: shown(closed({ password: textTo(256) }), { password: ada.password }),
  confirmSecondFactor: shown(closed({ code }), { code: '287082' }),
  proveSecondFactor: shown(closed({ password: textTo(256), code }), {
    password: ada.password,
    code: '287082',
  }),
  beginSingleSignOn: shown(closed({}, { invitation: textTo(200) }), {}),
  finishSingleSignOn: shown(closed({ answer: textTo(limits.providerAnswerCharsMax) }), {
    answer: '?code=the-code-of-the-provider&state=the-one-that-was-sent',
  }),
  // Other members are ignored, as the specification asks for.
  logoutToken: shown(
    { type: 'object', properties: { logout_token: { type: 'string' } } },
    { logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2lnbmF0dXJl' },
  ),
  linkSingleSignOn: shown(closed({ password: textTo(256) }, { code }), { password: ada.password }),
  addAdministrator: shown(closed({ name, password, role }), {
    ...ada,
    name: 'grace',
    role: 'viewer',
  }),
  changeAdministrator: shown(
    { ...closed({}, { role, disabled: { type: 'boolean' } }), minProperties: 1 },
    { role: 'editor' },
  ),
  invite: shown(closed({ name, role }), { name: 'grace', role: 'viewer' }),
  join: shown(closed({ token: textTo(200), password }), {
    token: 'the one of the link',
    password: ada.password,
  }),
  changePassword: shown(closed({ current: textTo(256), password }), {
    current: ada.password,
    password: 'battery horse correct',
  }),
  createKey: shown(
    closed(
      { name },
      { kind: { enum: ['live', 'admin'] }, expiresAt: moment, policyId, scopes, networks },
    ),
    { name: 'web-frontend', policyId: 'default', scopes: ['screen'], networks: ['10.0.0.0/8'] },
  ),
  changeKey: shown(
    {
      ...closed(
        {},
        {
          name,
          expiresAt: { type: ['string', 'null'], format: 'date-time' },
          policyId,
          scopes,
          networks,
        },
      ),
      minProperties: 1,
    },
    { expiresAt: '2099-12-31T18:00:00Z' },
  ),
  rotateKey: shown(
    closed({ sunsetSeconds: { type: 'integer', minimum: 0, maximum: 31_536_000 } }),
    { sunsetSeconds: 86_400 },
  ),
  createPolicy: shown(closed({ name, document }, { comment, acceptWide: flag }), {
    name: 'watch',
    document: watch,
    comment: 'look before blocking',
  }),
  changePolicy: shown(
    closed({ document, baseVersion: version, comment }, { name, acceptWide: flag }),
    {
      document: watch,
      baseVersion: 1,
      comment: 'look before blocking',
    },
  ),
  rollBack: shown(closed({ version }, { comment }), { version: 1 }),
  candidate: shown(closed({ document }, { acceptWide: flag }), { document: watch }),
  compareDocument: shown(closed({ document }), { document: watch }),
  declareShape: shown(
    closed(
      { document: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
      {
        closed: { type: 'boolean' },
        lenient: { type: 'boolean' },
        unlisted: { enum: ['refuse', 'screen'] },
        target: { enum: ['policy', 'candidate', 'none'] },
        comment,
      },
    ),
    {
      document: {
        openapi: '3.1.0',
        info: { title: 'Shop', version: '1' },
        paths: { '/orders/{id}': { get: {} } },
      },
      target: 'candidate',
    },
  ),
  adoptLearnt: shown(closed({}, { mode: { enum: ['block', 'monitor'] } }), { mode: 'block' }),
  promote: shown(closed({ baseVersion: version, comment }), {
    baseVersion: 1,
    comment: 'nothing new was blocked',
  }),
  exclude: shown(
    {
      ...closed(
        { ...place, reason: textTo(1_000) },
        { ...target, expiresAt: moment, acceptWide: flag },
      ),
      ...oneTarget,
    },
    { ...editorExclusion, reason: 'the editor sends HTML, which is cleaned afterwards' },
  ),
  previewExclusion: shown(
    closed({ policyId, exclusion: { ...closed(place, target), ...oneTarget } }),
    { policyId: 'default', exclusion: editorExclusion },
  ),
  channel: shown(
    closed(
      {
        name,
        kind: { enum: channelKinds },
        target: closed(
          {},
          {
            url: { type: 'string', maxLength: 2_000 },
            secret: { type: 'string', maxLength: 200 },
            host: { type: 'string', maxLength: 253 },
            port: { type: 'integer', minimum: 1, maximum: 65_535 },
            security: { enum: mailSecurities },
            user: { type: 'string', maxLength: 200 },
            password: { type: 'string', maxLength: 500 },
            from: { type: 'string', maxLength: 254 },
            to: { type: 'array', items: { type: 'string', maxLength: 254 }, maxItems: 20 },
          },
        ),
      },
      {
        isPaused: flag,
        hears: closed(
          {},
          {
            policies: { type: 'array', items: policyId, maxItems: 100 },
            categories: { type: 'array', items: category, maxItems: categories.length },
            severity,
            monitored: flag,
          },
        ),
        threshold: closed({
          count: { type: 'integer', minimum: 1, maximum: 1_000_000 },
          minutes: { type: 'integer', minimum: 1, maximum: 1_440 },
          per: { enum: thresholdFacts },
        }),
        digestMinutes: { type: 'integer', minimum: 0, maximum: 1_440 },
        quietHours: closed({
          from: textTo(5),
          to: textTo(5),
          timeZone: textTo(60),
          exceptCritical: flag,
        }),
      },
    ),
    {
      name: 'on call',
      kind: 'webhook',
      target: { url: 'http://127.0.0.1:9/hook', secret: 'known-to-the-team' },
      hears: { severity: 'high' },
      threshold: { count: 10, minutes: 5, per: 'client' },
      quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', exceptCritical: true },
    },
  ),
  listAddresses: shown(
    closed(
      {
        networks: {
          type: 'array',
          items: textTo(60),
          minItems: 1,
          maxItems: limits.addressesAtOnceMax,
        },
        action: { enum: ['deny', 'allow'] },
        reason: textTo(1_000),
      },
      { policyId, expiresAt: moment },
    ),
    {
      networks: ['203.0.113.7', '2001:db8::/32'],
      action: 'deny',
      reason: 'scans the sign-in page',
      expiresAt: '2099-12-31T18:00:00Z',
    },
  ),
  triage: shown(
    closed(
      {
        ids: {
          type: 'array',
          items: textTo(36),
          minItems: 1,
          maxItems: limits.triageAtOnceMax,
          uniqueItems: true,
        },
        verdict: { enum: triageVerdicts },
      },
      { note: comment, owner: { type: 'string', maxLength: 100 } },
    ),
    {
      ids: ['019f0000-0000-7000-8000-000000000000'],
      verdict: 'false-positive',
      note: 'the editor sends HTML',
    },
  ),
  saveFilter: shown(
    closed({
      name,
      query: {
        type: 'object',
        propertyNames: { enum: filterNames },
        additionalProperties: textTo(2_000),
        minProperties: 1,
      },
    }),
    { name: 'shop, last week', query: { host: 'shop.example', range: '7d' } },
  ),
  replay: shown(
    {
      ...closed({}, { policyId, document }),
      oneOf: [{ required: ['policyId'] }, { required: ['document'] }],
    },
    { policyId: 'default' },
  ),
  explain: shown(
    closed({ body: { type: 'object' } }, { context: explainContext, policyId, document }),
    { body: { q: '%3Cscript%3Ealert(1)%3C/script%3E' }, context: { method: 'GET' } },
  ),
} as const satisfies Readonly<Record<string, Schema>>;
