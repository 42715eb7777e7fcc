/** Whether a claim is a text that is not blank. */
export function isFilled(claim: unknown): claim is string {
  return typeof claim === 'string' && claim.trim() !== '';
}

/**
 * A claim by its name, or by the path to it: `realm_access.roles`. Names may hold dots
 * (`https://example.com/roles`), so that each part is taken as a whole name first.
 */
export function claimAt(claims: object, path: string): unknown {
  const members = new Map<string, unknown>(Object.entries(claims));
  if (members.has(path)) return members.get(path);
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const inner = members.get(path.slice(0, dot));
    if (typeof inner !== 'object' || inner === null) continue;
    const found = claimAt(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
