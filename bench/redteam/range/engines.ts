import { missingTools } from '../../lib/installed.ts';
import type { Engine, Route, RunningEngine } from './route.ts';
import type { OpenRoute } from './site.ts';

/** Routes whose interpreters run, until it is closed. */
export interface Range {
  readonly routes: readonly OpenRoute[];
  close(): Promise<void>;
}

/** Starts the interpreters of routes; `report` gets those that are not installed. */
export async function openRange(
  routes: readonly Route[],
  report: (line: string) => void,
): Promise<Range> {
  const running = new Map<Engine, RunningEngine>();
  const close = async () => {
    for (const one of running.values()) await one.close();
  };
  try {
    for (const engine of new Set(routes.map((route) => route.engine))) {
      const missing = missingTools(engine);
      if (missing.length > 0) report(`${engine.name}: left out, needs ${missing.join(', ')}`);
      else running.set(engine, await started(engine));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const open = routes.flatMap((route) => {
    const engine = running.get(route.engine);
    return engine === undefined ? [] : [{ ...route, running: engine }];
  });
  return { routes: open, close };
}

async function started(engine: Engine): Promise<RunningEngine> {
  const { reply, close } = await engine.start().then((one) => ({
    reply: one.reply?.bind(one),
    close: one.close.bind(one),
  }));
  if (reply === undefined) throw new Error(`${engine.name} judges only: it has no answers.`);
  return { reply, close };
}
