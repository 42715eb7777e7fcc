/** What the playground was given; kept over a reload, and sent along in a link. */
export interface PlaygroundContent {
  readonly text: string;
  readonly policyId: string;
  /** The policy beside it; '' without. */
  readonly besideId: string;
  readonly context: Readonly<Record<string, string>>;
}

const storeName = 'sallyport.playground';
const mark = '#try=';
/** Browsers take longer addresses, but not every program that passes them on. */
export const linkCharsMax = 16_384;

/** The content of the address, else that of before the reload. */
export function loadContent(usual: PlaygroundContent): PlaygroundContent {
  const { hash } = location;
  // What other pages send along.
  const body = new URLSearchParams(hash.slice(1)).get('body');
  if (body !== null) return { ...usual, text: body };
  const linked = hash.startsWith(mark) && hash.length <= linkCharsMax;
  const text = linked ? decoded(hash.slice(mark.length)) : sessionStorage.getItem(storeName);
  return { ...usual, ...read(text) };
}

export function saveContent(content: PlaygroundContent): void {
  try {
    sessionStorage.setItem(storeName, JSON.stringify(content));
  } catch {
    // Full, or turned off: a reload then begins with the example.
  }
}

/**
 * A link with the content in its fragment, which browsers never send to a server; undefined where
 * it would be too long.
 */
export function linkOf(content: PlaygroundContent): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const hash = `${mark}${btoa(binary).replaceAll('+', '-').replaceAll('/', '_')}`;
  if (hash.length > linkCharsMax) return undefined;
  return `${location.origin}/dashboard/playground${hash}`;
}

function decoded(text: string): string | null {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** Only texts, whatever the link holds. */
function read(text: string | null): Partial<PlaygroundContent> {
  try {
    const { context, ...rest } = Object(JSON.parse(text ?? '{}'));
    return {
      ...textsOf(rest, ['text', 'policyId', 'besideId']),
      context: textsOf(Object(context), Object.keys(Object(context))),
    };
  } catch {
    return {};
  }
}

function textsOf(from: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const texts = names.filter((name) => typeof from[name] === 'string');
  return Object.fromEntries(texts.map((name) => [name, String(from[name])]));
}
