import { type Decoder, stepLabel } from './decoder.ts';
import { namedDecoders } from './registry.ts';

/**
 * Walks a finding's `decoded` list from the raw text and returns the text that its `span` counts
 * in; undefined when the list does not fit the text.
 */
export function replay(raw: string, decoded: readonly string[]): string | undefined {
  return replaySteps(raw, decoded)?.at(-1);
}

/** The raw text and the text after each step; undefined when the list does not fit the text. */
export function replaySteps(raw: string, decoded: readonly string[]): string[] | undefined {
  const texts = [raw];
  let text = raw;
  for (const step of decoded) {
    const next = replayStep(text, step);
    if (next === undefined) return undefined;
    texts.push(next);
    text = next;
  }
  return texts;
}

function replayStep(text: string, step: string): string | undefined {
  const decoder = namedDecoders.find((one) => step === one.name || step.startsWith(`${one.name}:`));
  return decoder === undefined ? undefined : resultOf(decoder, text, step);
}

function resultOf(decoder: Decoder, text: string, step: string): string | undefined {
  let found: string | undefined;
  decoder.decode(text, (result, argument) => {
    if (found === undefined && stepLabel(decoder, argument) === step) found = result;
  });
  return found;
}
