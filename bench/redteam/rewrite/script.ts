import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { inScript, inWords } from './script-words.ts';

type Change = (value: string, random: Random) => string | undefined;

function script(name: string, rewrite: Change): Rewriter {
  return { name, language: 'html', rewrite };
}

function hex(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}

/** A character of a string, in one of the escapes that the lexer knows. */
function escaped(one: string, random: Random): string {
  const code = one.charCodeAt(0);
  const forms = [`\\u${hex(code, 4)}`, `\\u{${'0'.repeat(random.below(4))}${hex(code, 2)}}`];
  if (code < 256) forms.push(`\\x${hex(code, 2)}`);
  return random.pick(forms);
}

/** Rewrites each string that holds plain characters only; its quote stays the same. */
function strings(
  name: string,
  make: (text: string, quote: string, random: Random) => string,
): Rewriter {
  return script(name, (value, random) =>
    inWords(value, random, ({ kind, text }) => {
      const inner = text.slice(1, -1);
      if (kind !== 'string' || inner === '' || inner.includes('\\')) return text;
      return make(inner, text[0] ?? "'", random);
    }),
  );
}

const globals =
  'alert confirm prompt print fetch open Image setTimeout setInterval navigator document';
const callables = new Set(globals.split(' '));
const owners = ['self', 'window', 'globalThis', 'frames', 'top', 'parent'];

/** A global that is a whole name, not a member of something or a key. */
function isGlobal(text: string, before: string, after: string): boolean {
  return (
    callables.has(text) &&
    before !== '.' &&
    before !== '?.' &&
    !/^[:}]/.test(after) &&
    before !== '{'
  );
}

/** The quote that the script may use: one of the value's own strings, or a template. */
function keyOf(text: string, random: Random): string {
  const cut = 1 + random.below(text.length - 1);
  return random.pick([
    `\`${text}\``,
    `/${text}/.source`,
    `\`${text.slice(0, cut)}\`+\`${text.slice(cut)}\``,
    `[...\`${[...text].reverse().join('')}\`].reverse().join(\`\`)`,
    `String.fromCharCode(${[...text].map((one) => one.charCodeAt(0)).join()})`,
    `\`${text.slice(0, cut)}\${[]}${text.slice(cut)}\``,
    `atob(\`${btoa(text)}\`)`,
    `[\`${text.slice(0, cut)}\`,\`${text.slice(cut)}\`].join([])`,
    `\`${text}${random.below(99)}\`.slice(0,${text.length})`,
    `(${Number.parseInt(text.toLowerCase(), 36)}).toString(36)`,
  ]);
}

function space(random: Random): string {
  return random.pick([
    ' ',
    '\t',
    '/**/',
    '/*x*/',
    `/*${random.below(99)}*/`,
    '\u00a0',
    '\u2003',
    '\ufeff',
    '/*(*/',
    '\u3000',
  ]);
}

/** Ways to write what an engine of JavaScript does in the same way. */
export const scriptRewriters: readonly Rewriter[] = [
  script('space and comments', (value, random) =>
    inWords(value, random, ({ kind, text }) => {
      return kind === 'other' && /^[()[\]{},.+]$/.test(text)
        ? `${space(random)}${text}${space(random)}`
        : text;
    }),
  ),
  script('escaped names', (value, random) =>
    inWords(value, random, ({ kind, text }) => {
      if (
        kind !== 'name' ||
        /^(?:function|return|new|get|try|throw|catch|yield|static|class|import|this|javascript)$/.test(
          text,
        )
      )
        return text;
      const at = random.below(text.length);
      const code = text.charCodeAt(at);
      const form = random.pick([
        `\\u${hex(code, 4)}`,
        `\\u{${hex(code, 2)}}`,
        `\\u{0${hex(code, 3)}}`,
      ]);
      return text.slice(0, at) + form + text.slice(at + 1);
    }),
  ),
  script('computed global', (value, random) =>
    inWords(value, random, ({ kind, text }, before, after) =>
      kind === 'name' && isGlobal(text, before, after)
        ? `${random.pick(owners)}[${keyOf(text, random)}]`
        : text,
    ),
  ),
  script('member of a global', (value, random) =>
    inWords(value, random, ({ kind, text }, before, after) =>
      kind === 'name' && isGlobal(text, before, after)
        ? `${random.times(1 + random.below(3), () => random.pick(owners)).join(random.pick(['.', '?.']))}${random.pick(['.', '?.'])}${text}`
        : text,
    ),
  ),
  script('function in brackets', (value, random) =>
    inWords(value, random, ({ kind, text }, before, after) =>
      kind === 'name' && isGlobal(text, before, after) && after === '('
        ? random.pick([
            `(${text})`,
            `((${text}))`,
            `(1,${text})`,
            `(0||${text})`,
            `[${text}][0]`,
            `(()=>${text})()`,
            `({a:${text}}).a`,
          ])
        : text,
    ),
  ),
  script('computed members', (value, random) =>
    inScript(value, (text) =>
      text.replace(/([\w$)\]])\.([a-z]\w{3,})/gi, (_, owner: string, name: string) => {
        return `${owner}[${keyOf(name, random)}]`;
      }),
    ),
  ),
  script('optional members', (value) =>
    inScript(value, (text) => text.replace(/(?<=[\w$)\]])\.(?=[a-z])(?![^=]*=(?![=>]))/gi, '?.')),
  ),
  strings('escaped strings', (text, quote, random) => {
    const inner = [...text].map((one) => (random.chance(50) ? escaped(one, random) : one)).join('');
    return `${quote}${inner}${quote}`;
  }),
  strings('concatenated strings', (text, quote, random) => {
    const cut = random.below(text.length);
    return `${quote}${text.slice(0, cut)}${quote}+${quote}${text.slice(cut)}${quote}`;
  }),
  strings('strings from codes', (text) => {
    return `String.fromCharCode(${[...text].map((one) => one.charCodeAt(0)).join()})`;
  }),
  strings('templates', (text) => `\`${text.replaceAll('`', '\\`')}\``),
  strings(
    'base64 strings',
    (text) => `atob(\`${Buffer.from(text, 'latin1').toString('base64')}\`)`,
  ),
  strings('reversed strings', (text) => {
    return `[...\`${[...text].reverse().join('')}\`].reverse().join(\`\`)`;
  }),
  script('numbers', (value, random) =>
    inWords(value, random, ({ kind, text }, before) => {
      const number = Number(text);
      if (kind !== 'number' || before === '.' || !Number.isSafeInteger(number)) return text;
      return random.pick([
        `0x${hex(number, 1)}`,
        `0b${number.toString(2)}`,
        `0o${number.toString(8)}`,
        `${number}.0`,
        `${number}e0`,
        `(${number + 7}-7)`,
      ]);
    }),
  ),
  script('dead code', (value, random) =>
    inScript(value, (text) => {
      const dead = random.pick([
        'void 0',
        '[]',
        `${random.below(99)}`,
        '!1',
        '{}.x',
        'typeof z',
        '/x/',
      ]);
      return /^(?:try|throw|var|let|const)\b/.test(text) ? text : `(${dead},${text})`;
    }),
  ),
  script('in a function', (value, random) =>
    inScript(value, (text) =>
      random.pick([
        `(()=>${text})()`,
        `(function(){return ${text}})()`,
        `(async()=>${text})()`,
        `new class{constructor(){${text}}}`,
        `[0].map(_=>${text})`,
        `(_=>{${text}})()`,
        `[...(function*(){yield ${text}})()]`,
      ]),
    ),
  ),
  script('later', (value, random) =>
    inScript(value, (text) =>
      random.pick([
        `Promise.resolve().then(()=>${text})`,
        `queueMicrotask(()=>${text})`,
        `setTimeout(()=>${text})`,
        `requestAnimationFrame(()=>${text})`,
        `new Promise(_=>{${text}})`,
      ]),
    ),
  ),
  script('as text', (value, random) =>
    inScript(value, (text) => {
      const codes = [...text].map((one) => one.charCodeAt(0)).join();
      const plain = random.pick([
        `String.fromCharCode(${codes})`,
        `unescape(\`${[...text].map((one) => `%${hex(one.charCodeAt(0) & 255, 2)}`).join('')}\`)`,
        `atob(\`${Buffer.from(text, 'latin1').toString('base64')}\`)`,
      ]);
      return random.pick([
        `(0,eval)(${plain})`,
        `eval(${plain})`,
        `Function(${plain})()`,
        `setTimeout(${plain})`,
        `[].at.constructor(${plain})()`,
      ]);
    }),
  ),
  script('condition', (value, random) =>
    inScript(value, (text) => {
      return random.pick([
        `1&&(${text})`,
        `0||(${text})`,
        `null??(${text})`,
        `1?(${text}):0`,
        `[${text}]`,
        `void(${text})`,
        `!(${text})`,
        `{}[${text}]`,
        `typeof(${text})`,
      ]);
    }),
  ),
];
