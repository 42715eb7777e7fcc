import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inTime } from '../../../../src/storage/in-time.ts';
import type { Context, Effect, Oracle, Reply, RunningOracle } from '../../contract.ts';
import { ChromiumBrowser } from './browser.ts';
import { type AttackedPage, origin, type PageContext, pageContexts } from './pages.ts';

/** Chromium shows pages with the value in them; a canary is what only a script can reach. */
export const chromiumOracle: Oracle = {
  name: 'chromium',
  category: 'xss',
  language: 'html',
  tools: ['chromium'],
  contexts: pageContexts,
  start: async () => {
    const running = new Running();
    await running.learn();
    return running;
  },
};

interface Task {
  readonly context: PageContext;
  readonly page: AttackedPage;
  readonly resolve: (effect: Effect) => void;
}

/** What the page that judges says of one page. */
interface Answer {
  readonly touched?: string;
  readonly hasFailed: boolean;
  readonly shape: string;
}

interface Answers {
  readonly answers: readonly Answer[];
  /** Canaries that were touched, but from no page that is known. */
  readonly strangers: number;
  readonly isBroken: boolean;
}

/** How a page is for a benign value: elements and attributes. */
type Learned = Pick<Answer, 'shape'>;

const atOnceMax = 48;
const judgeMsMax = 4_000;
const pagesEach = 20_000;

class Running implements RunningOracle {
  readonly #learned = new Map<PageContext, Learned>();
  #tasks: Task[] = [];
  #isBusy = false;
  #browser: ChromiumBrowser | undefined;
  #shown = 0;
  readonly #judgeName = `judge${randomUUID().replaceAll('-', '')}`;

  judge(context: Context, values: readonly string[]): Promise<Effect> {
    const known = pageContexts.find(({ name }) => name === context.name);
    const page = known?.page(values[0] ?? '');
    if (known === undefined || page === undefined) return Promise.resolve('error');
    return new Promise((resolve) => {
      this.#tasks.push({ context: known, page, resolve });
      void this.#work();
    });
  }

  async reply(context: Context, values: readonly string[]): Promise<Reply> {
    const effect = await this.judge(context, values);
    const known = pageContexts.find(({ name }) => name === context.name);
    return { effect, text: known?.page(values[0] ?? '').html ?? '' };
  }

  /** Shows each page with a benign value. */
  async learn(): Promise<void> {
    for (const context of pageContexts) {
      const task = {
        context,
        page: context.page(context.benign[0] ?? ''),
        resolve: () => undefined,
      };
      // The first time, libraries are loaded and compiled.
      await this.#ask([task]);
      const answer = (await this.#ask([task]))?.answers[0];
      if (answer === undefined) throw new Error(`Chromium does not show the page ${context.name}.`);
      this.#learned.set(context, answer);
    }
  }

  async close(): Promise<void> {
    await this.#restart();
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // What else is asked in this turn is judged at the same time.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#tasks.length > 0) {
      const tasks = this.#tasks.slice(0, atOnceMax);
      this.#tasks = this.#tasks.slice(atOnceMax);
      await this.#judgeAll(tasks);
    }
    this.#isBusy = false;
  }

  async #judgeAll(tasks: readonly Task[]): Promise<void> {
    const found = await this.#ask(tasks);
    if (found === undefined || found.isBroken) await this.#restart();
    const isUnclear = found === undefined || found.isBroken || found.strangers > 0;
    if (isUnclear && tasks.length > 1) {
      for (const task of tasks) await this.#judgeAll([task]);
      return;
    }
    for (const [at, task] of tasks.entries()) {
      task.resolve(effectOf(found?.answers[at], found?.strangers ?? 0));
    }
  }

  /** Undefined where the browser hangs or has ended. */
  async #ask(tasks: readonly Task[]): Promise<Answers | undefined> {
    const cases = tasks.map(({ context, page }) => ({
      ...page,
      ...this.#learned.get(context),
      hasScripts: context.hasScripts === true,
    }));
    this.#shown += tasks.length;
    if (this.#shown > pagesEach) await this.#restart();
    this.#browser ??= await this.#open();
    const asked = this.#browser
      .send('Runtime.evaluate', {
        expression: `window.${this.#judgeName}.judge(${JSON.stringify(cases)})`,
        awaitPromise: true,
        returnByValue: true,
      })
      .then((given) => (given?.['result'] as { readonly value?: Answers } | undefined)?.value);
    return await inTime(asked, judgeMsMax);
  }

  async #open(): Promise<ChromiumBrowser> {
    const browser = new ChromiumBrowser();
    const named = (file: string) =>
      readFileSync(new URL(`./${file}`, import.meta.url), 'utf8').replaceAll(
        '%JUDGE%',
        this.#judgeName,
      );
    await browser.openPage();
    browser.on('Fetch.requestPaused', (params) => void answer(browser, params));
    browser.on('Page.javascriptDialogOpening', () => {
      void browser.send('Page.handleJavaScriptDialog', { accept: false });
    });
    await browser.send('Page.enable');
    await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    await browser.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await browser.send('Page.addScriptToEvaluateOnNewDocument', { source: named('watch.js') });
    await browser.send('Network.setCookie', { name: 'session', value: randomUUID(), url: origin });
    const isShown = new Promise<void>((resolve) => {
      browser.on('Page.loadEventFired', () => resolve());
    });
    await browser.send('Page.navigate', { url: `${origin}/` });
    await isShown;
    await browser.send('Page.bringToFront');
    await browser.send('Runtime.evaluate', { expression: named('judge.js') });
    return browser;
  }

  async #restart(): Promise<void> {
    const browser = this.#browser;
    this.#browser = undefined;
    this.#shown = 0;
    await browser?.close();
  }
}

function effectOf(answer: Answer | undefined, strangers: number): Effect {
  if (answer?.touched !== undefined || strangers > 0) return 'effective';
  return answer === undefined || answer.hasFailed ? 'error' : 'inert';
}

const require = createRequire(import.meta.url);
/** Frames lie side by side: what is not seen is not drawn, and runs no animation. */
const html =
  '<!doctype html><html><style>iframe{width:90px;height:50px;border:0;float:left}</style><body></body></html>';

/** All requests end here: a script of another host runs, and nothing else is given. */
async function answer(
  browser: ChromiumBrowser,
  { requestId, request, resourceType }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { url } = request as { readonly url: string };
  // Chromium takes hosts that Node does not.
  const { origin: asked = '', pathname = '' } = URL.parse(url) ?? {};
  const library = asked === origin ? libraries[pathname] : undefined;
  const isOwnPage = asked === origin && resourceType === 'Document';
  const isOthersScript = asked !== origin && resourceType === 'Script';
  if (library === undefined && !isOwnPage && !isOthersScript) {
    await browser.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return;
  }
  const own = library ? readFileSync(require.resolve(library), 'utf8') : '';
  const body = isOthersScript ? 'alert(1)' : isOwnPage ? html : own;
  await browser.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: 200,
    responseHeaders: [
      { name: 'content-type', value: isOwnPage ? 'text/html' : 'text/javascript' },
      { name: 'cache-control', value: 'max-age=86400' },
      { name: 'access-control-allow-origin', value: '*' },
    ],
    body: Buffer.from(body).toString('base64'),
  });
}

const libraries: Readonly<Record<string, string>> = {
  '/app.js': '',
  '/vue.js': 'vue/dist/vue.global.prod.js',
  '/alpine.js': 'alpinejs/dist/cdn.min.js',
};
