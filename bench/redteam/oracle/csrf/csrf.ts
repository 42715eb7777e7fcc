import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { membersOf } from '../../../../src/client-request/request-members.ts';
import { inTime } from '../../../../src/storage/in-time.ts';
import type { Context, Effect, Oracle, RunningOracle, Sent } from '../../contract.ts';
import { ChromiumBrowser } from '../chromium/browser.ts';
import { type Arrived, isTaken, type ShopContext, shopContexts } from './shop.ts';

/** Chromium opens a page of another origin; a canary is what an application changed by its cookie. */
export const csrf: Oracle = {
  name: 'cross-site requests',
  category: 'csrf',
  language: 'csrf',
  tools: ['chromium'],
  contexts: shopContexts,
  start: async () => {
    const running = new Running();
    await running.open();
    return running;
  },
};

/** A page that is open, and what came of it. */
interface Visit {
  readonly context: ShopContext;
  readonly html: string;
  readonly session: string;
  readonly requests: (readonly string[])[];
  /** The frame of the page, and the frames that have loaded, by the browser's names. */
  frame: unknown;
  readonly loaded: Set<unknown>;
  isLeaving: boolean;
  /** Called with each request or load that was seen. */
  seen: () => void;
}

const visitMsMax = 4_000;
/** After the page has loaded, and after each request: then nothing more is to come. */
const quietMs = 80;
/** The same where the page is about to open another. */
const leavingMs = 700;
/** Windows that attacks opened are closed after so many pages. */
const pagesEach = 20;
const browserPagesMax = 5_000;

class Running implements RunningOracle {
  readonly #server: Server = createServer((req, res) => void this.#answer(req, res));
  #browser: ChromiumBrowser | undefined;
  #visit: Visit | undefined;
  /** The empty page between two visits: it may load late. */
  #blank: unknown;
  #open = 0;
  #pages = 0;
  #last: Promise<unknown> = Promise.resolve();

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async judge(context: Context, values: readonly string[]): Promise<Effect> {
    return (await this.sent(context, values)).effect;
  }

  sent(context: Context, [html = '']: readonly string[]): Promise<Sent> {
    const known = shopContexts.find(({ name }) => name === context.name);
    if (known === undefined) return Promise.resolve({ effect: 'error', requests: [] });
    const sent = this.#last.then(() => this.#sentNow(known, html));
    this.#last = sent;
    return sent;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#end();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #sentNow(context: ShopContext, html: string): Promise<Sent> {
    const visit: Visit = {
      ...{
        context,
        html,
        session: randomUUID(),
        requests: [],
        frame: undefined,
        loaded: new Set(),
        isLeaving: false,
      },
      seen: () => undefined,
    };
    this.#pages += 1;
    if (this.#pages % browserPagesMax === 0) await this.#end();
    if (this.#pages % pagesEach === 0) await this.#closeOthers();
    this.#visit = visit;
    const isShown = await inTime(this.#show(visit), visitMsMax * 2);
    this.#visit = undefined;
    if (isShown !== true) await this.#end();
    const { requests } = visit;
    if (requests.length > 0) return { effect: 'effective', requests };
    return { effect: isShown === true ? 'inert' : 'error', requests };
  }

  /** Opens the page and waits until a request was taken, or none is to come. */
  async #show(visit: Visit): Promise<boolean> {
    const { shop, page, sameSite } = visit.context;
    this.#browser ??= await this.#start();
    const browser = this.#browser;
    await browser.send('Network.clearBrowserCookies');
    await browser.send('Network.setCookie', {
      ...{ name: 'session', value: visit.session, url: `${shop}/`, httpOnly: true },
      ...(sameSite && { sameSite }),
      secure: sameSite === 'None',
    });
    const isDone = this.#whenDone(visit);
    const shown = await browser.send('Page.navigate', { url: `${page}/${visit.session}` });
    if (shown === undefined) return false;
    visit.frame = shown['frameId'];
    visit.seen();
    await isDone;
    const left = await browser.send('Page.navigate', { url: 'about:blank' });
    this.#blank = left?.['loaderId'];
    return left !== undefined;
  }

  #whenDone(visit: Visit): Promise<void> {
    return new Promise((resolve) => {
      let quiet: NodeJS.Timeout | undefined;
      const done = (): void => {
        clearTimeout(quiet);
        clearTimeout(end);
        resolve();
      };
      const end = setTimeout(done, visitMsMax);
      let seen = 0;
      const doneIfIdle = async (): Promise<void> => {
        const before = seen;
        const isIdle = visit.isLeaving || (await this.#isIdle());
        if (seen !== before) return;
        if (isIdle) done();
        else {
          visit.isLeaving = true;
          visit.seen();
        }
      };
      visit.seen = () => {
        seen += 1;
        clearTimeout(quiet);
        if (visit.requests.length > 0) done();
        else if (visit.loaded.has(visit.frame) && this.#open === 0) {
          quiet = setTimeout(() => void doneIfIdle(), visit.isLeaving ? leavingMs : quietMs);
        }
      };
    });
  }

  /** Whether the page is still there when all that it had begun has run, however busy the machine is. */
  async #isIdle(): Promise<boolean> {
    const expression = 'new Promise((resolve) => setTimeout(resolve, 10))';
    const run = await this.#browser?.send('Runtime.evaluate', { expression, awaitPromise: true });
    return run !== undefined && run['exceptionDetails'] === undefined;
  }

  /** The proxy of the browser: all that it asks for ends here. */
  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const visit = this.#visit;
    this.#open += 1;
    const bytes = await buffer(req).catch(() => Buffer.alloc(0));
    const url = URL.parse(req.url ?? '');
    try {
      if (visit === undefined || url === null) res.writeHead(404).end();
      else if (url.origin === visit.context.shop) await this.#answerAsShop(visit, req, bytes);
      if (!res.writableEnded) this.#answerAsPage(visit, url, res);
    } finally {
      if (!res.writableEnded) res.end();
      this.#open -= 1;
      visit?.seen();
    }
  }

  async #answerAsShop(visit: Visit, req: IncomingMessage, bytes: Buffer): Promise<void> {
    const { pathname, search } = new URL(req.url ?? '');
    const { 'proxy-connection': _ofProxy, ...headers } = req.headersDistinct;
    if (!headers['cookie']?.some((one) => one.includes(visit.session))) return;
    const arrived: Arrived = {
      request: { method: req.method ?? '', url: pathname + search, headers, address: '127.0.0.1' },
      body: bytes.length === 0 ? { kind: 'none' } : { kind: 'raw', bytes, isComplete: true },
      bytes,
    };
    if (!(await isTaken(visit.context, arrived))) return;
    const { texts } = await membersOf(arrived.request, arrived.body);
    visit.requests.push(texts);
  }

  /** The attacking page, and its own redirect that keeps the method and the body. */
  #answerAsPage(visit: Visit | undefined, url: URL | null, res: ServerResponse): void {
    const isPage = visit !== undefined && url?.origin === visit.context.page;
    if (!isPage) {
      res.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
    } else if (url.pathname === '/go') {
      res.writeHead(307, { location: url.searchParams.get('to') ?? '/' }).end();
    } else if (url.pathname === `/${visit.session}`) {
      res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(visit.html);
    } else res.writeHead(404).end();
  }

  async #start(): Promise<ChromiumBrowser> {
    const { port } = this.#server.address() as AddressInfo;
    const browser = new ChromiumBrowser(
      [
        `--proxy-server=http://127.0.0.1:${port}`,
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        '--disable-features=IsolateSandboxedIframes,Translate,HttpsUpgrades',
      ],
      // As Chrome has it; Debian's build sends none to other sites.
      { profile: { cookie_controls_mode: 0 } },
    );
    await browser.openPage();
    browser.on('Page.javascriptDialogOpening', () => {
      void browser.send('Page.handleJavaScriptDialog', { accept: true });
    });
    browser.on('Page.frameRequestedNavigation', () => {
      if (this.#visit === undefined) return;
      this.#visit.isLeaving = true;
      this.#visit.seen();
    });
    browser.on('Page.lifecycleEvent', ({ name, frameId, loaderId }) => {
      if (name !== 'load' || loaderId === this.#blank) return;
      this.#visit?.loaded.add(frameId);
      this.#visit?.seen();
    });
    await browser.send('Page.enable');
    await browser.send('Page.setLifecycleEventsEnabled', { enabled: true });
    return browser;
  }

  async #closeOthers(): Promise<void> {
    const browser = this.#browser;
    const given = await browser?.send('Target.getTargets');
    const targets = (given?.['targetInfos'] ?? []) as readonly Target[];
    for (const { targetId, type, attached } of targets) {
      if (type === 'page' && !attached) await browser?.send('Target.closeTarget', { targetId });
    }
  }

  async #end(): Promise<void> {
    const browser = this.#browser;
    this.#browser = undefined;
    await browser?.close();
  }
}

interface Target {
  readonly targetId: string;
  readonly type: string;
  readonly attached: boolean;
}
