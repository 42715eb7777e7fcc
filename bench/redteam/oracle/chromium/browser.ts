import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromiumFlags } from '../../../../test/support/chromium-flags.ts';
import { findTool } from '../../../../test/support/require-tool.ts';
import { endWithUs } from '../../../lib/children.ts';

const closeMsMax = 1_000;

type Values = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Values;
  readonly result?: Values;
}

/** Without any network: what asks for a name or an address gets nothing but our own answers. */
const flags = [
  ...chromiumFlags,
  '--disable-extensions',
  '--disable-dev-shm-usage',
  '--disable-popup-blocking',
  '--disable-features=IsolateSandboxedIframes,Translate',
  '--disable-site-isolation-trials',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--window-size=1280,860',
  '--remote-debugging-pipe',
];

/**
 * A Chromium with one page, driven by its protocol over a pipe: hundreds of frames a second come
 * and go, and a driver that follows each of them is too slow.
 */
export class ChromiumBrowser {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sallyport-chromium-'));
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #waiting = new Map<number, (result: Values | undefined) => void>();
  readonly #listeners = new Map<string, (params: Values) => void>();
  #session: string | undefined;
  #last = 0;
  #rest = '';

  /** Of two flags of one name the later one holds. */
  constructor(moreFlags: readonly string[] = [], preferences: Values = {}) {
    const profile = join(this.#folder, 'Default');
    mkdirSync(profile);
    writeFileSync(join(profile, 'Preferences'), JSON.stringify(preferences));
    const args = [...flags, ...moreFlags, `--user-data-dir=${this.#folder}`, 'about:blank'];
    this.#child = spawn(findTool('chromium') ?? 'chromium', args, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      cwd: this.#folder,
    });
    endWithUs(this.#child);
    this.#input = this.#child.stdio[3] as Writable;
    const output = this.#child.stdio[4] as Readable;
    output.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    for (const stream of [this.#child, this.#input, output]) stream.on('error', () => this.#end());
    this.#child.on('exit', () => this.#end());
  }

  /** Opens the page that the other calls are for. */
  async openPage(): Promise<void> {
    const target = await this.send('Target.createTarget', { url: 'about:blank' });
    const targetId = target?.['targetId'];
    const attached = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const session = attached?.['sessionId'];
    if (typeof session !== 'string') throw new Error('Chromium opens no page.');
    this.#session = session;
  }

  /** Undefined where the browser refused, or has ended. */
  send(method: string, params: Values = {}): Promise<Values | undefined> {
    this.#last += 1;
    const id = this.#last;
    const sessionId = this.#session;
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) resolve(undefined);
      this.#waiting.set(id, resolve);
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  on(method: string, listener: (params: Values) => void): void {
    this.#listeners.set(method, listener);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), closeMsMax);
      this.#session = undefined;
      void this.send('Browser.close');
      await ended;
      clearTimeout(timer);
    }
    // Its own children still write for a moment.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  #read(text: string): void {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) {
      const message = JSON.parse(part) as Message;
      if (message.id !== undefined) {
        this.#waiting.get(message.id)?.(message.result);
        this.#waiting.delete(message.id);
      } else if (message.method !== undefined) {
        this.#listeners.get(message.method)?.(message.params ?? {});
      }
    }
  }

  #end(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }
}
