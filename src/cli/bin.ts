#!/usr/bin/env node
import { createInterface } from 'node:readline';
import { processEnvironment } from '../config/load.ts';
import type { Terminal } from './command.ts';
import { dispatch } from './dispatch.ts';
import { nodeVersionAdvice } from './node-version.ts';

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  input: process.stdin,
  isTerminal: Boolean(process.stdout.isTTY && process.stdin.isTTY),
  hasColours: Boolean(process.stdout.isTTY && process.stdout.hasColors()),
  onLine(typed) {
    createInterface(process.stdin).on('line', typed);
    process.stdin.unref();
  },
};

// `sallyport rules | head` closes our output early; that is the reader's right.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const advice = nodeVersionAdvice(process.version);
if (advice === undefined) {
  process.exitCode = await dispatch(process.argv.slice(2), processEnvironment(), terminal);
} else {
  terminal.err(`sallyport: ${advice}\n`);
  process.exitCode = 2;
}
