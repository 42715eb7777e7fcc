import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { mayAct, type Role, roles } from '../../../src/contract/roles.ts';
import { apiRoutes } from '../../../src/http/api/routes/routes.ts';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { ApiServer, password, startApiOn } from './api-server.ts';

/** What a stranger may ask. */
const publicRoutes = [
  'GET /api/session',
  'POST /api/setup',
  'POST /api/session',
  'POST /api/join',
  'POST /api/single-sign-on',
  'POST /api/single-sign-on/finish',
  'POST /api/single-sign-on/logout',
];
/** What people do to their own session is no change of the service. */
const ownSession =
  /^\/api\/session(?:\/password|\/(?:second-factor|single-sign-on)(?:\/[\w-]+)?|s|s\/:id)?$/;
/** Only administrators decide who may come in, with what, and where messages go. */
const forAdministrators = /^\/api\/(?:administrators|invitations|keys|notifications)\b/;

test('every route declares the least role that may use it', () => {
  for (const { method, path, access } of apiRoutes) {
    const name = `${method} ${path}`;
    assert.equal(access === 'public', publicRoutes.includes(name), name);
    if (access === 'public') continue;
    assert.ok(roles.includes(access), name);
    if (method === 'GET' || ownSession.test(path)) continue;
    assert.notEqual(access, 'viewer', `${name} changes something`);
    if (forAdministrators.test(path)) assert.equal(access, 'administrator', name);
  }
});

test('a role may do what those before it may', () => {
  const table = roles.map((role) => roles.map((needed) => mayAct({ role }, needed)));
  assert.deepEqual(table, [
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

/** The same server, called by a user who has just signed in. */
async function signedIn(api: ApiServer, name: string): Promise<ApiServer> {
  const own = new ApiServer(api.running, api.log);
  const reply = await own.call('/api/session', { body: { name, password } });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  own.keepCookie(reply);
  return own;
}

describeOnEachDatabase('roles', (make) => {
  it('refuse at every route what it does not declare for them, and nothing else', async (t) => {
    const started = await startApiOn(make, t);
    if (started === undefined) return;
    const { api } = started;
    for (const role of ['viewer', 'editor'] satisfies Role[]) {
      const body = { name: role, password, role };
      assert.equal((await api.call('/api/administrators', { body })).status, 201);
      const own = await signedIn(api, role);
      assert.deepEqual((await own.call('/api/session')).body.user, { name: role, role });
      for (const { method, path, access, mediaType } of apiRoutes) {
        // The feed has no end.
        if (access === 'public' || mediaType === 'text/event-stream') continue;
        const may = mayAct({ role }, access);
        if (may && method !== 'GET') continue;
        const url = path.replace(/:\w+/g, 'none');
        const { status, body } = await own.call(url, {
          method,
          ...(method === 'GET' ? {} : { body: {} }),
        });
        const name = `${role}: ${method} ${path}: ${JSON.stringify(body).slice(0, 200)}`;
        assert.equal(status === 403, !may, name);
        if (may) continue;
        assert.match(body.type, /role-not-sufficient$/, name);
        assert.equal(body.detail, `This needs the role ${access}; you have the role ${role}.`);
      }
    }
  });
});
