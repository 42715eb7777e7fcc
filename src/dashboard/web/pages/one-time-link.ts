/**
 * Reads what a one-time link carries after its `#`; undefined without the token. The address
 * loses it, so that it does not stay in the history.
 */
export function takeLink(
  name: 'setup' | 'join',
): { readonly token: string; readonly given: URLSearchParams } | undefined {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get(name) ?? '';
  if (token === '') return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return { token, given };
}
