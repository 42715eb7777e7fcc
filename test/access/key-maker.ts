// A process of its own that works on keys as the command line does, one line of input after the
// other: `live`, `admin`, `rotate <id>` and `revoke <id>`. It answers each with a key, or `done`.
import { createInterface } from 'node:readline';
import { issueKey, rotateKey } from '../../src/access/issue-key.ts';
import { withKeyRing } from '../../src/cli/key-ring.ts';

const [dataDir = '', databaseUrl] = process.argv.slice(2);

await withKeyRing({ dataDir, databaseUrl, pepperFile: undefined }, async (keys) => {
  console.log('ready');
  for await (const line of createInterface(process.stdin)) {
    const [word = '', id = ''] = line.split(' ');
    const now = Date.now();
    if (word === 'revoke') {
      await keys.store.revoke(id, now);
      console.log('done');
    } else if (word === 'rotate') {
      console.log((await rotateKey(keys, { id, now, sunsetAt: now + 60_000 })).key);
    } else {
      const kind = word === 'admin' ? 'admin' : 'live';
      console.log((await issueKey(keys, { name: 'new', now, expiresAt: undefined, kind })).key);
    }
  }
});
