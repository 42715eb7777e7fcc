#!/usr/bin/env node
import { createInterface } from 'node:readline';
import { processEnvironment } from '../config/load.ts';
import type { Terminal } from './command.ts';
import { dispatch } from './dispatch.ts';
import { nodeVersionAdvice } from './node-version.ts';
import { paintFor } from './paint.ts';

const { stdin, stdout, stderr } = process;
let isRead = true;

const terminal: Terminal = {
  out: (text) => void stdout.write(text),
  flow: (text) => new Promise((resolve) => stdout.write(text, () => resolve())),
  err: (text) => void stderr.write(text),
  input: stdin,
  isInteractive: { in: isTty(stdin), out: isTty(stdout), err: isTty(stderr) },
  // Node looks at `NO_COLOR` and at what the terminal can do.
  paint: paintFor(isTty(stdout) && stdout.hasColors()),
  isRead: () => isRead,
  onLine(typed) {
    createInterface(stdin).on('line', typed);
    stdin.unref();
  },
};

// `sallyport rules | head` closes our output early; that is the reader's right.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  isRead = false;
});

const advice = nodeVersionAdvice(process.version);
if (advice === undefined) {
  process.exitCode = await dispatch(process.argv.slice(2), processEnvironment(), terminal);
} else {
  terminal.err(`sallyport: ${advice}\n`);
  process.exitCode = 2;
}

function isTty(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}
