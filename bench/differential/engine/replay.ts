import { createScreener } from '../../../src/screener.ts';
import { check } from './check.ts';
import type { Reader, StartOptions } from './reader.ts';
import { readWire, unescaped } from './wire-request.ts';

/** Sends one request, and writes down what was seen, what was screened and what is missing. */
export async function replay(
  reader: Reader,
  request: string,
  options: StartOptions,
): Promise<string> {
  const running = await reader.start(options);
  try {
    const wire = readWire(unescaped(request));
    const observation = await running.send(wire);
    const disagreements = await check(wire, observation, createScreener());
    const lines = [
      `${reader.name}: status ${observation.status ?? 'none'}`,
      ...observation.texts.map((text) => `  screened ${text}`),
      ...observation.seen.map(({ where, text }) => `  seen     ${where}: ${JSON.stringify(text)}`),
      ...disagreements.map((one) => `  ${one.kind} ${one.where}: ${JSON.stringify(one.text)}`),
    ];
    return lines.join('\n');
  } finally {
    await running.close();
  }
}
