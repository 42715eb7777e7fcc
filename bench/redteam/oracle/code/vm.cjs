// Evaluates vulnerable expressions in a context of node:vm: one line of JSON in, the effect out. What
// leaves the process is stubbed, and refused by the permissions of the process besides.
const childProcess = require('node:child_process');
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { createInterface } = require('node:readline');
const vm = require('node:vm');

const { stdout } = process;
let isReached = false;
let isOn = false;

/** Takes the place of functions of an object while an expression is evaluated. */
function watch(owner, names) {
  for (const name of names) {
    const plain = owner[name];
    if (typeof plain !== 'function') continue;
    owner[name] = function (...given) {
      if (!isOn) return Reflect.apply(plain, this, given);
      isReached = true;
      throw new Error('reached');
    };
  }
}

watch(childProcess, Object.keys(childProcess));
watch(
  fs,
  Object.keys(fs).filter((name) => !/^[A-Z_]|stat|realpath/.test(name)),
);
watch(process, ['exit', 'kill', 'abort', 'binding', 'dlopen', 'reallyExit', '_kill', 'chdir']);
watch(process, ['cwd', 'getuid', 'memoryUsage', 'hrtime', 'uptime', 'getBuiltinModule']);
syncBuiltinESMExports();

const sources = {
  expression: (value) => `(${value})`,
  argument: (value) => `discount(${value})`,
  'string, single quotes': (value) => `discount('${value}')`,
  'string, double quotes': (value) => `discount("${value}")`,
};

/** Each has an object of the application in it, as contexts have: the way out of them. */
function judge({ context, values }) {
  const secret = randomBytes(12).toString('hex');
  const scope = vm.createContext({ discount: () => 0, price: 12, config: { secret } });
  let shown;
  try {
    const value = vm.runInContext(sources[context](values[0]), scope, { timeout: 200 });
    shown = `${value === scope.config ? secret : value}`;
  } catch {
    return isReached ? 'effective' : 'error';
  }
  return isReached || shown.includes(secret) ? 'effective' : 'inert';
}

stdout.write('ready\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const given = JSON.parse(line);
  isReached = false;
  isOn = true;
  const said = judge(given);
  // What an expression left for later runs before the next turn.
  setImmediate(() => {
    isOn = false;
    stdout.write(`${isReached ? 'effective' : said}\n`);
  });
});
