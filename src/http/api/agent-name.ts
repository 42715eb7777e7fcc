/** By the token of its own that a browser adds; those that name others as well come first. */
const browsers: readonly (readonly [token: RegExp, name: string])[] = [
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const systems: readonly (readonly [token: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const charsMax = 60;
const fallback = /^[\w./+-]+/;

/** A browser in a few words, from its `user-agent`: `Firefox 128 on Linux`. */
export function agentName(header: string): string {
  const system = systems.find(([token]) => token.test(header))?.[1];
  for (const [token, name] of browsers) {
    const version = token.exec(header)?.[1];
    if (version !== undefined) return [`${name} ${version}`, system].filter(Boolean).join(' on ');
  }
  return (fallback.exec(header)?.[0] ?? '').slice(0, charsMax);
}
