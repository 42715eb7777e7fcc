import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumFlags } from '../support/chromium-flags.ts';
import { findTool, requireTool } from '../support/require-tool.ts';

/** As long as other waits of tests: a busy machine may stand still for half a minute. */
const waitMs = 60_000;
const desktop = { width: 1280, height: 860 };

/** Starts Chromium for a test; undefined where it is not installed and may be skipped. */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  if (!requireTool(t, 'chromium')) return undefined;
  const executablePath = findTool('chromium') ?? 'chromium';
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
  t.after(() => browser.close());
  return browser;
}

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, and what the content security policy refused. */
  readonly faults: readonly string[];
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** A new page with a profile of its own. */
export async function openPage(browser: Browser, options: ContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: desktop, ...options });
  context.setDefaultTimeout(waitMs);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser also notes each answer that is an error; tests provoke those on purpose.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(message.text());
  });
  return { context, page, faults };
}
