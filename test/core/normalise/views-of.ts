import type { CoverageReason } from '../../../src/contract/limits.ts';
import { createPrefilter } from '../../../src/core/match/prefilter.ts';
import { dataDecoders, decoders, isExpanded } from '../../../src/core/normalise/registry.ts';
import { type View, ViewQueue } from '../../../src/core/normalise/views.ts';

/** All views of a text, the raw one first, and what it cost. */
export interface Views {
  readonly views: readonly View[];
  readonly reasons: readonly CoverageReason[];
  readonly steps: number;
}

const prefilter = createPrefilter([['literal']]);

/** Runs the decoders over a text as the engine does, with nothing judged. */
export function viewsOf(text: string): Views {
  const queue = new ViewQueue(decoders, dataDecoders);
  const views: View[] = [];
  queue.startRequest();
  queue.start(text);
  let view: View | undefined = { text, where: 'value', decoded: [] };
  for (; view !== undefined; view = queue.next()) {
    views.push(view);
    const scan = prefilter.scan(view.text);
    if (isExpanded(view, scan, 'text')) queue.expand(view, scan);
  }
  return { views, reasons: [...queue.reasons], steps: queue.steps };
}

/** The decoded texts of a value: of all its views but the raw one. */
export function decodedTexts(text: string): string[] {
  return viewsOf(text)
    .views.slice(1)
    .map((view) => view.text);
}
