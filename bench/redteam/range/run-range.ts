import { inTurn, numbered } from '../../lib/in-turn.ts';
import { missingTools } from '../../lib/installed.ts';
import { ownTarget } from '../../lib/plan.ts';
import { startService } from '../../lib/server.ts';
import { openRange } from './engines.ts';
import { type AttackReport, measure } from './measure.ts';
import { routes } from './routes.ts';
import { sqlmap } from './sqlmap.ts';
import type { Tool } from './tool.ts';
import { wapiti } from './wapiti.ts';
import { wfuzz } from './wfuzz.ts';

/** The tools, in the order in which they run. */
export const tools: readonly Tool[] = [wapiti, wfuzz, sqlmap];

/** What is asked for. */
export interface RangeOptions {
  /** Names of tools; all that are installed when undefined. */
  readonly tools: readonly string[] | undefined;
  /** For each run of a tool. */
  readonly seconds: number;
  readonly jobs: number;
  /** The first attack of each tool only. */
  readonly isSmoke: boolean;
}

/**
 * Lets tools attack the range, bare and behind a Sallyport of its own at its default policy. An
 * attack that fails does not end the others: it is reported as an error.
 */
export async function runRange(
  options: RangeOptions,
  report: (result: AttackReport | Error | string) => void,
): Promise<readonly AttackReport[]> {
  const chosen = chosenTools(options.tools).filter((tool) => {
    const missing = missingTools(tool);
    if (missing.length > 0) report(`${tool.name}: left out, needs ${missing.join(', ')}`);
    return missing.length === 0;
  });
  const fitting = routes.filter((route) => chosen.some((tool) => tool.fits(route)));
  const range = await openRange(fitting, report);
  try {
    const service = await startService(ownTarget(), ['--workers', '1']);
    try {
      const guard = { url: `http://${service.host}:${service.port}`, key: service.key };
      const attacks = chosen.flatMap((tool) => {
        const all = tool.attacks(range.routes.filter(tool.fits));
        return options.isSmoke ? all.slice(0, 1) : all;
      });
      const bounds = { guard, seconds: options.seconds };
      const results = await inTurn(attacks, numbered(options.jobs), async (attack) => {
        const result = await measure(attack, range.routes, bounds).catch(
          (error: Error) => new Error(`${attack.name}, ${attack.target}: ${error.message}`),
        );
        report(result);
        return result;
      });
      return results.flatMap((result) => (result instanceof Error ? [] : [result]));
    } finally {
      await service.stop();
    }
  } finally {
    await range.close();
  }
}

function chosenTools(names: readonly string[] | undefined): readonly Tool[] {
  return (names ?? tools.map(({ name }) => name)).map((name) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) {
      throw new Error(`--tools ${name}: give ${tools.map((one) => one.name).join(', ')}.`);
    }
    return tool;
  });
}
