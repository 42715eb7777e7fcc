import { isAlias, isNode, parseDocument } from 'yaml';
import type { PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';

export type DocumentOutcome =
  | { readonly kind: 'document'; readonly value: unknown }
  | { readonly kind: 'not-valid'; readonly problems: readonly PolicyProblem[] };

const aliasesMax = 1_000;
const problemsMax = 20;

/** Reads JSON (RFC 8259) or YAML 1.2, whichever a text is. Never throws. */
export function readDocument(text: string): DocumentOutcome {
  if (Buffer.byteLength(text) > limits.shapeDocumentBytesMax) {
    const most = limits.shapeDocumentBytesMax.toLocaleString('en');
    return fault(`is longer than ${most} bytes; leave descriptions out, or split it`);
  }
  const plain = text.replace(/^\ufeff/, '');
  const outcome = /^\s*[{[]/.test(plain) ? (readJson(plain) ?? readYaml(plain)) : readYaml(plain);
  if (outcome.kind === 'not-valid') return outcome;
  const excess = excessOf(outcome.value);
  return excess === undefined ? outcome : fault(excess);
}

/** Undefined where it is none: a YAML document may begin like JSON. */
function readJson(text: string): DocumentOutcome | undefined {
  try {
    return { kind: 'document', value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function readYaml(text: string): DocumentOutcome {
  try {
    const document = parseDocument(text, { merge: true, strict: true, logLevel: 'silent' });
    if (document.errors.length > 0) {
      const problems = document.errors.slice(0, problemsMax).map(({ message }) => ({
        pointer: '',
        message: `is neither JSON nor YAML: ${message.split('\n', 1)[0] ?? ''}`,
      }));
      return { kind: 'not-valid', problems };
    }
    if (!isNode(document.contents) || isAlias(document.contents)) return fault('is empty');
    return { kind: 'document', value: document.toJS({ maxAliasCount: aliasesMax }) as unknown };
  } catch (error) {
    if (error instanceof RangeError) return fault('is nested too deep to be read');
    return fault(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What there is too much of. Aliases count as often as they stand for something. */
function excessOf(value: unknown): string | undefined {
  let nodes = 0;
  let rest: unknown[] = [value];
  for (let depth = 0; rest.length > 0; depth++) {
    if (depth > limits.shapeDepthMax) {
      return `is nested deeper than ${limits.shapeDepthMax} levels; use $ref`;
    }
    const next: unknown[] = [];
    for (const one of rest) {
      if (typeof one !== 'object' || one === null) continue;
      const inside: unknown[] = Object.values(one);
      nodes += inside.length;
      if (nodes > limits.shapeNodesMax) {
        return `has more than ${limits.shapeNodesMax.toLocaleString('en')} values; split it`;
      }
      for (const value of inside) next.push(value);
    }
    rest = next;
  }
  return undefined;
}

function fault(message: string): DocumentOutcome {
  return { kind: 'not-valid', problems: [{ pointer: '', message }] };
}
