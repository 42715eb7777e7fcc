import { deflateSync } from 'node:zlib';
import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import { pickled } from './serialized-pickle.ts';
import { pythonYaml, rubyYaml } from './serialized-yaml.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Serialized objects of PHP, Python, Ruby and Node; characters stand for bytes. */
export const serialized: Grammar = {
  language: 'serialized',
  attack(random, oracle, { name }) {
    const [kind, text] = makerOf(oracle.name, name)(random);
    const value = name === 'YAML, member' ? text.replaceAll('\n', '\n  ') : text;
    return { kind: `${kind}/${name}`, values: [packed(value, name)] };
  },
};

type Kind = readonly [kind: string, text: string];

function makerOf(oracle: string, context: string): (random: Random) => Kind {
  const isYaml = context.startsWith('YAML');
  if (oracle.startsWith('PHP')) return ofPhp;
  if (oracle.startsWith('pickle')) return isYaml ? pythonYaml : pickled;
  if (oracle.startsWith('Marshal')) return isYaml ? rubyYaml : marshalled;
  return context.startsWith('eval')
    ? (random) => ['call', called(random)]
    : (random) => ['function in JSON', functionInJson(random)];
}

function packed(text: string, name: string): string {
  const bytes = Buffer.from(text, 'latin1');
  if (name.includes('base64url')) return bytes.toString('base64url');
  if (name === 'base64, percent signs') return encodeURIComponent(bytes.toString('base64'));
  if (name.includes('base64')) return bytes.toString('base64');
  if (name === 'compressed') return deflateSync(bytes).toString('base64');
  if (name.includes('hexadecimal')) return bytes.toString('hex');
  return name === 'percent signs' ? encodeURIComponent(text) : text;
}

const phpClass: Maker = oneOf(
  () => 'Monolog\\Handler\\SyslogUdpHandler',
  () => 'GuzzleHttp\\Psr7\\FnStream',
  () => 'Illuminate\\Broadcasting\\PendingBroadcast',
  () => 'Symfony\\Component\\Cache\\Adapter\\TagAwareAdapter',
  () => 'Swift_KeyCache_DiskKeyCache',
  (random) => `${aName(random)}_Logger`,
  (random) => `App\\${aName(random)}x\\${aName(random)}x`,
  (random) => `${aName(random)}X`,
);

const phpText = (text: string): string => `s:${text.length}:"${text}";`;

const phpValue: Maker = oneOf(
  (random) => `i:${aNumber(random)};`,
  (random) => `b:${random.below(2)};`,
  () => 'N;',
  (random) => `d:0.${aNumber(random)};`,
  (random) => phpText(aText(random)),
);

/** Members of all three visibilities. */
function phpMembers(random: Random, name: string, depth: number): string[] {
  return random.times(random.below(3), () => {
    const member = aName(random);
    const key = random.pick([member, `\0*\0${member}`, `\0${name}\0${member}`]);
    return (
      phpText(key) +
      (depth > 0 && random.chance(30) ? phpObject(random, depth - 1) : phpValue(random))
    );
  });
}

function phpObject(random: Random, depth = 2): string {
  const name = phpClass(random);
  const members = phpMembers(random, name, depth);
  return `O:${name.length}:"${name}":${members.length}:{${members.join('')}}`;
}

const ofPhp = (random: Random): Kind => {
  const object = phpObject(random);
  return random.pick<Kind>([
    ['object', object],
    ['object in a list', `a:2:{i:0;${object}i:1;${phpValue(random)}}`],
    ['object by name', `a:1:{${phpText(aName(random))}${object}}`],
    ['object of objects', `O:8:"stdClass":1:{${phpText(aName(random))}${object}}`],
    ['iterator', `O:11:"ArrayObject":4:{i:0;i:0;i:1;a:1:{i:0;${object}}i:2;a:0:{}i:3;N;}`],
  ]);
};

const rubyClass: Maker = oneOf(
  () => 'Gem::Requirement',
  () => 'Gem::Installer',
  () => 'Gem::SpecFetcher',
  () => 'Gem::RequestSet',
  () => 'Gem::Package::TarReader',
  () => 'Net::WriteAdapter',
  () => 'Net::BufferedIO',
  () => 'ERB',
  () => 'Logger',
  () => 'OpenStruct',
  () => 'ActiveSupport::Deprecation::DeprecatedInstanceVariableProxy',
  () => 'Rails::Application',
);

const rubySize = (size: number): string => String.fromCharCode(size === 0 ? 0 : size + 5);
const rubyBytes = (text: string): string => rubySize(text.length) + text;
const rubySymbol = (text: string): string => `:${rubyBytes(text)}`;

const rubyValue: Maker = oneOf(
  () => '0',
  () => 'T',
  (random) => `i${rubySize(random.below(100))}`,
  (random) => `"${rubyBytes(aText(random))}`,
  (random) => rubySymbol(aName(random)),
);

function rubyObject(random: Random): Kind {
  const name = rubySymbol(rubyClass(random));
  const members = random.times(
    random.below(3),
    () => rubySymbol(`@${aName(random)}`) + rubyValue(random),
  );
  return random.pick<Kind>([
    ['o', `o${name}${rubySize(members.length)}${members.join('')}`],
    ['U', `U${name}[${rubySize(1)}${rubyValue(random)}`],
    ['u', `u${name}${rubyBytes(aText(random))}`],
  ]);
}

const marshalled = (random: Random): Kind => {
  const [kind, object] = rubyObject(random);
  const text = random.pick([
    object,
    `[${rubySize(2)}${rubyValue(random)}${object}`,
    `{${rubySize(1)}${rubySymbol(aName(random))}${object}`,
    `[${rubySize(1)}[${rubySize(1)}${object}`,
  ]);
  return [`Marshal ${kind}`, `\u0004\b${text}`];
};

const call: Maker = oneOf(
  (random) =>
    `require('child_process').${random.pick(['exec', 'execSync', 'spawn'])}('${aName(random)}')`,
  (random) => `process.${random.pick(['exit', 'kill', 'abort', 'binding'])}(${random.below(9)})`,
  (random) => `require("fs").readFileSync("/${aName(random)}")`,
  (random) => `fetch('//${aName(random)}.test/')`,
  (random) =>
    `global.process.mainModule.require('${random.pick(['os', 'net', 'vm'])}').${aName(random)}_()`,
);

const called: Maker = oneOf(
  call,
  (random) => `(function(){${call(random)}})()`,
  (random) => `{"${aName(random)}":${call(random)}}`,
  (random) => `(()=>{return ${call(random)}})()`,
  (random) => `[${aNumber(random)},${call(random)}]`,
  (random) => `new (function(){this.${aName(random)}=${call(random)}})`,
);

const functionInJson: Maker = (random) => {
  const name = random.pick(['', ' ', ` ${aName(random)}_`]);
  const code = random.pick([
    `function${name}(){${call(random)}}()`,
    `function${name}(){ return ${call(random)}; }()`,
    call(random),
    `(()=>${call(random)})()`,
  ]);
  const member = `"${aName(random)}":${JSON.stringify(`_$$ND_FUNC$$_${code}`)}`;
  return random.pick([
    `{${member}}`,
    `{"${aName(random)}":${aNumber(random)},${member}}`,
    `{"${aName(random)}":{${member}}}`,
    `{"${aName(random)}":[{${member}}]}`,
  ]);
};
