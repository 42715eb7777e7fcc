import { exec } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Express } from 'express';
import { textOf } from './request-texts.ts';

// DELIBERATELY VULNERABLE: files, commands and addresses by the word of the client.

const manuals = fileURLToPath(new URL('manuals/', import.meta.url));

/** Path traversal, command injection, requests to other servers, and a redirect to anywhere. */
export function addSystemRoutes(app: Express): void {
  app.get('/manual', async (req, res) => {
    res.type('text').send(await readFile(`${manuals}${textOf(req.query['file'])}`, 'utf8'));
  });

  app.get('/lookup', (req, res) => {
    const command = `getent hosts ${textOf(req.query['host'])}`;
    // Bounded, with an empty environment: injected commands find nothing worth having.
    const bounds = { cwd: tmpdir(), env: { PATH: '/usr/bin:/bin' }, timeout: 2_000 };
    exec(command, bounds, (_error, out) => {
      res.type('text').send(out);
    });
  });

  app.get('/picture', (req, res, next) => {
    // Every name leads back to this machine, so that the shop can be used against no other.
    const options = { lookup: toLoopback, timeout: 2_000 };
    const outgoing = get(onThisMachine(textOf(req.query['url'])), options, (answer) => {
      res.type('text');
      answer.pipe(res);
    });
    outgoing.on('error', next).on('timeout', () => outgoing.destroy(new Error('no answer')));
  });

  // To a path of the shop only, or so it seems: `//host` is a path here and a host for a browser.
  app.get('/leave', (req, res) => {
    const next = textOf(req.query['next']);
    res.redirect(next.startsWith('/') ? next : '/products');
  });
}

type LookupAnswer = (error: null, addresses: { address: string; family: 4 }[]) => void;

function toLoopback(_host: string, _options: unknown, answer: LookupAnswer): void {
  answer(null, [{ address: '127.0.0.1', family: 4 }]);
}

/** An address in digits is not looked up; of those only the ones of this machine are reached. */
function onThisMachine(text: string): URL {
  const url = new URL(text);
  const isAddress = /^[\d.]+$|^\[/.test(url.hostname);
  if (isAddress && !url.hostname.startsWith('127.')) throw new Error('only this machine');
  return url;
}
