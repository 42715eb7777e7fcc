import type { Random } from '../../lib/random.ts';

/** A name, a string, a number or punctuation of a script, or what is not looked into. */
export interface Word {
  readonly kind: 'name' | 'string' | 'number' | 'space' | 'other';
  readonly text: string;
}

const words =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|([A-Za-z_$][\w$]*)|(\d+)|(\s+)|(`[^`]*`|=>|\?\.|[\s\S])/g;

/** Splits a fragment that may begin in the middle of anything: joined again it is the same. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(words)].map(([all, string, name, number, space]) => {
    const kind =
      string !== undefined
        ? 'string'
        : name !== undefined
          ? 'name'
          : number !== undefined
            ? 'number'
            : space !== undefined
              ? 'space'
              : 'other';
    return { kind, text: all };
  });
}

/** The script of a value, between what leads to it and what ends it; undefined where there is none. */
export interface Placed {
  readonly before: string;
  readonly script: string;
  readonly after: string;
}

const places: readonly RegExp[] = [
  /^([\s\S]*?<script[^>]*>)([^<]+)(<\/script>[\s\S]*)$/i,
  /^([\s\S]*?javascript:)([^"<>]+)("?[\s\S]*)$/i,
  /^([\s\S]*?\son\w+=")([^"]+)("[\s\S]*)$/i,
  /^([\s\S]*?\son\w+=')([^']+)('[\s\S]*)$/i,
  /^([\s\S]*?\son\w+=)([^\s"'>]+)([\s>][\s\S]*)$/i,
  /^([\s\S]*?\$\{)([\s\S]+)(\}[^}]*)$/,
  /^([\s\S]*?["'];)([\s\S]+?)(;(?:\/\/|["'])?)$/,
  /^([\s\S]*?[-+*/%|&?,=<^;(]\()([\s\S]+)(\)[-+,*]?[\s\w$,=]*["'`]?)$/,
];

/** Where the script of a value is: the first place that a value of the language may have. */
export function placeOf(value: string): Placed | undefined {
  for (const place of places) {
    const found = place.exec(value);
    if (found === null) continue;
    const [, before = '', script = '', after = ''] = found;
    if (/[\w$)\]]\s*[(`=[]|import/.test(script)) return { before, script, after };
  }
  return undefined;
}

/** Rewrites the script in a value, and leaves the rest. */
export function inScript(value: string, change: (script: string) => string): string | undefined {
  const placed = placeOf(value);
  if (placed === undefined) return undefined;
  const script = change(placed.script);
  return script === placed.script ? undefined : placed.before + script + placed.after;
}

/** Rewrites words of a script, some of them by chance, at least one that can be. */
export function inWords(
  value: string,
  random: Random,
  change: (word: Word, before: string, after: string) => string,
): string | undefined {
  return inScript(value, (script) => {
    const list = wordsOf(script);
    const changed = list.map((word, at) =>
      change(word, list[at - 1]?.text ?? '', list[at + 1]?.text ?? ''),
    );
    const places = list.flatMap((word, at) => (changed[at] === word.text ? [] : [at]));
    if (places.length === 0) return script;
    const sure = random.pick(places);
    return list
      .map((word, at) => (at === sure || random.chance(70) ? changed[at] : word.text))
      .join('');
  });
}
