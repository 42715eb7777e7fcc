import { isUtf8 } from 'node:buffer';

/**
 * Names and values of a query or a form, in their order. What is not the percent-encoding of UTF-8
 * stays as it is, as most parsers leave it: `URLSearchParams` would put the same character in the
 * place of all such bytes, and the evidence would be gone.
 */
export function* formPairs(text: string): Generator<readonly [name: string, value: string]> {
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    yield [decoded(name), equals < 0 ? '' : decoded(pair.slice(equals + 1))];
  }
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  return spaced.includes('%') && isDecodable(spaced) ? decodeURIComponent(spaced) : spaced;
}

/**
 * Whether `decodeURIComponent` would not throw. To catch what it throws costs microseconds for each
 * parameter, and whoever sends a thousand of them knows that.
 */
function isDecodable(text: string): boolean {
  if (brokenEscape.test(text)) return false;
  const runs = text.match(highBytes) ?? [];
  return runs.every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')));
}

const brokenEscape = /%(?![0-9a-f]{2})/i;
const highBytes = /(?:%[89a-f][0-9a-f])+/gi;
