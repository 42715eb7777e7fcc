// What somebody writes who has generated a client from the document. The test puts this file beside
// the generated `client.ts`, has the types of both checked, and calls it.
import * as sallyport from './client.ts';

/**
 * Makes a key, has something screened with it, finds the block, and revokes the key.
 * @param {string} origin
 * @param {string} adminKey
 */
export async function walk(origin, adminKey) {
  sallyport.defaults.baseUrl = origin;
  const asAdmin = { headers: { 'x-api-key': adminKey } };

  const made = await sallyport.postKeys({ name: 'generated', policyId: 'default' }, asAdmin);
  if (made.status !== 201) throw new Error(made.data.detail);
  const { key, secret } = made.data;

  const asApp = { headers: { 'x-api-key': secret } };
  const harmless = await sallyport.postControl({ username: 'anna' }, {}, asApp);
  if (harmless.status !== 200) throw new Error(harmless.data.detail);
  const context = { xForwardedMethod: 'POST', xDeadlineMs: 30_000 };
  const attack = await sallyport.postControl({ username: "' OR 1=1 --" }, context, asApp);
  if (attack.status !== 403) throw new Error(`answered ${attack.status}`);
  const finding = attack.data.findings?.[0];

  const refused = await sallyport.postControl({}, {}, asAdmin);
  if (refused.status !== 401) throw new Error(`answered ${refused.status}`);

  const revoked = await sallyport.postKeysIdRevoke(key.id, asAdmin);
  if (revoked.status !== 200) throw new Error(revoked.data.detail);
  return {
    rest: harmless.data.decision,
    blockId: attack.data.id,
    category: finding?.category,
    refusal: refused.data.title,
    state: revoked.data.key.state,
  };
}

/**
 * The events of one category, newest first.
 * @param {string} adminKey
 */
export async function blocksOf(adminKey) {
  const asAdmin = { headers: { 'x-api-key': adminKey } };
  const found = await sallyport.getEvents({ category: 'sqli', limit: 10 }, asAdmin);
  if (found.status !== 200) throw new Error(found.data.detail);
  return found.data.events;
}
