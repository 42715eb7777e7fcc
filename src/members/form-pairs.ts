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
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
