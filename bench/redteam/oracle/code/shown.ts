import type { Effect } from '../../contract.ts';

/** What a template was asked and gave. */
interface Page {
  readonly source: string;
  readonly shown: string;
  /** Names that the application gave to the template, which tell nothing. */
  readonly given: readonly string[];
}

/** A class, function or module of the host language, as Python and Node.js print them. */
const hostObject =
  /<class '|<module '|<(?:bound method|built-in|function|method|slot wrapper)\b|\[native code\]|\bfunction\b[^{]*\{|\bclass \w+ .*\{|\bclass [a-z]\w*(?:\.\w+)+/;

/** What engines print that was not computed: instances without their members, markup of a document, references. */
const printed =
  /\[object \w+\]|#<(?!Class\b)[\w:]+:0x[\da-f]+>|<[\w. ]+ at 0x[\da-f]+>|[\w.$]+@[\da-f]{4,8}\b|<TemplateReference \w+>|<[!?][^>]*>|&(?:#?\w+);/gi;

const constants = ['true', 'false', 'none', 'null', 'undefined', 'array'];
const tags =
  /\{[{%#][^}]*[}%#]\}|<%[^%]*%>|<#--[\s\S]*?-->|<\/?#[^>]*>|#\*[\s\S]*?\*#|##.*|#\{?(?:else|end)\}?|#if\([^)]*\)/g;
const numbers = /\b(?:0[xob]?[\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)/gi;
const escapes = /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\}|([0-7]{3})|(.))/gi;

/**
 * Whether a page shows that an expression was evaluated: the secret, a setting or a class of the host, a
 * number or a word that was computed. What the application gave, instances without their members and
 * literals show nothing.
 */
export function effectOfPage({ source, shown, given }: Page): Effect {
  if (hostObject.test(shown) && !hostObject.test(source)) return 'effective';
  const plain = unescaped(source);
  // White space that a tag removes joins the words beside it.
  const joined = plain.replace(tags, '').replace(/\s+/g, '');
  const texts = [source, plain, source.replaceAll('\\', ''), joined];
  const known = new Set([...constants, ...given, ...literals(source)]);
  const words = shown.replace(printed, ' ').match(/\d{4,}|[A-Za-z]{4,}/g) ?? [];
  const isComputed = (word: string) =>
    !known.has(word.toLowerCase()) && !texts.some((text) => text.includes(word));
  return words.some(isComputed) ? 'effective' : 'inert';
}

/** Numbers as an engine prints them, however they are written. */
function literals(source: string): string[] {
  return (source.match(numbers) ?? []).flatMap((text) => {
    const plain = text.replaceAll('_', '');
    const octal = /^0[0-7]+$/.test(plain) ? [Number(`0o${plain.slice(1)}`)] : [];
    return [Number(plain), ...octal].flatMap((value) => String(value).match(/\d{4,}/g) ?? []);
  });
}

function unescaped(source: string): string {
  return source.replace(escapes, (_all, hex, wide, code, octal, other) => {
    const digits: string | undefined = hex ?? wide ?? code;
    if (digits !== undefined) return characterOf(Number.parseInt(digits, 16));
    return octal === undefined ? other : characterOf(Number.parseInt(octal, 8));
  });
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
