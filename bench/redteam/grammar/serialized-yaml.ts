import type { Random } from '../../lib/random.ts';
import { aName, aNumber } from './words.ts';

const modules = [
  'os.system',
  'subprocess.Popen',
  'subprocess.check_output',
  'builtins.eval',
  'builtins.exec',
  'os.popen',
  'timeit.timeit',
];

/** YAML that names functions and objects of Python. */
export function pythonYaml(random: Random): [kind: string, text: string] {
  const name = random.pick([...modules, `${aName(random)}.${aName(random)}`]);
  const list = random.pick([
    `["${aName(random)}"]`,
    `['${aName(random)} ${aNumber(random)}']`,
    `[[${aName(random)}, -a]]`,
  ]);
  const [kind, value] = random.pick<[string, string]>([
    ['apply', `!!python/object/apply:${name} ${list}`],
    ['apply, members', `!!python/object/apply:${name} {args: ${list}}`],
    ['new', `!!python/object/new:${name} ${list}`],
    ['object', `!!python/object:${name} {${aName(random)}: ${aNumber(random)}}`],
    ['apply, block', `!!python/object/apply:${name}\n- ${aName(random)}`],
  ]);
  return [`YAML ${kind}`, placed(value, random)];
}

const classes = [
  'Gem::Requirement',
  'Gem::Installer',
  'Gem::SpecFetcher',
  'Gem::RequestSet',
  'Net::WriteAdapter',
  'Net::BufferedIO',
  'ERB',
  'Logger',
  'OpenStruct',
  'Rails::Application',
  'Rack::Response',
];

/** YAML that names classes of Ruby. */
export function rubyYaml(random: Random): [kind: string, text: string] {
  const name = random.pick(classes);
  const members = `{${aName(random)}: ${aNumber(random)}}`;
  const [kind, value] = random.pick<[string, string]>([
    ['object', `!ruby/object:${name} ${members}`],
    ['object, block', `!ruby/object:${name}\n${aName(random)}: ${aName(random)}`],
    [
      'object in an object',
      `!ruby/object:${name} {a: !ruby/object:${random.pick(classes)} ${members}}`,
    ],
    ['object in a list', `[!ruby/object:${name} ${members}]`],
  ]);
  return [`YAML ${kind}`, placed(value, random)];
}

function placed(value: string, random: Random): string {
  if (value.includes('\n')) return value;
  return random.pick([value, `[${aNumber(random)}, ${value}]`, `{${aName(random)}_: ${value}}`]);
}
