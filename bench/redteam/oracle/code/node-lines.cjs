// What programs that judge with Node have in common: a line of JSON in, the answer out. What leaves the
// process is stubbed, and refused by the permissions of the process besides. In CommonJS, as many
// applications are: `process.mainModule` leads from a template to all modules.
const childProcess = require('node:child_process');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { createInterface } = require('node:readline');

// Taken before anything hostile runs, which may replace them.
const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { is } = Object;
const activeResources = process.getActiveResourcesInfo.bind(process);
const write = process.stdout.write.bind(process.stdout);

let isReached = false;
let isOn = false;

/** Takes the place of functions of an object while something is judged. */
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

/** Objects that what is judged can change for what comes after it: built-in ones and those of modules. */
function sharedObjects(library) {
  const owners = [globalThis, process, fs, childProcess, library];
  const found = new Set(owners);
  const add = (one) => {
    if (one === null || !['object', 'function'].includes(typeof one)) return;
    found.add(one);
    if (typeof one === 'function' && one.prototype) found.add(one.prototype);
  };
  for (const owner of owners) {
    for (const key of ownKeys(owner)) {
      const { value } = getOwnPropertyDescriptor(owner, key);
      // Lists of what was loaded change by themselves.
      if (owner === globalThis || typeof value === 'function') add(value);
    }
  }
  const unnamed = [function* () {}, async () => undefined, async function* () {}, [].values()];
  for (const one of [...unnamed, new Map().values(), new Set().values(), ''.matchAll(/a/g)]) {
    for (let next = getPrototypeOf(one); next !== null; next = getPrototypeOf(next)) add(next);
  }
  return [...found];
}

/** Tells whether objects have the members that they had. Loops over indices: iterators may be changed. */
function memory(objects) {
  const known = objects.map((one) => {
    const keys = ownKeys(one);
    return { one, keys, held: keys.map((key) => getOwnPropertyDescriptor(one, key)) };
  });
  return () => {
    for (let at = 0; at < known.length; at += 1) {
      const { one, keys, held } = known[at];
      if (ownKeys(one).length !== keys.length) return false;
      for (let i = 0; i < keys.length; i += 1) {
        const now = getOwnPropertyDescriptor(one, keys[i]);
        if (now === undefined || !is(now.value, held[i].value) || now.get !== held[i].get)
          return false;
      }
    }
    return true;
  };
}

/** Whether something was left that runs later. */
function isWaiting() {
  const active = activeResources();
  for (let at = 0; at < active.length; at += 1) {
    if (active[at] === 'Timeout' || active[at] === 'Immediate') return true;
  }
  return false;
}

/** Answers what `judge` gives, or `effective` where a stub was called; asks for a new start after a trace. */
exports.answerLines = (judge, library = {}) => {
  watch(childProcess, Object.keys(childProcess));
  watch(
    fs,
    Object.keys(fs).filter((name) => !/^[A-Z_]|stat|realpath/.test(name)),
  );
  watch(process, ['exit', 'kill', 'abort', 'binding', 'dlopen', 'reallyExit', '_kill', 'chdir']);
  watch(process, ['cwd', 'getuid', 'memoryUsage', 'hrtime', 'uptime', 'getBuiltinModule']);
  syncBuiltinESMExports();
  process.stdout.write = () => true;
  process.on('uncaughtException', () => undefined);
  process.on('unhandledRejection', () => undefined);
  const isAsBefore = memory(sharedObjects(library));
  createInterface({ input: process.stdin }).on('line', (line) => {
    const question = JSON.parse(line);
    isReached = false;
    isOn = true;
    let said = 'error';
    try {
      said = judge(question);
    } catch {
      // Rejected, or stopped by a stub.
    }
    // What was left for later runs before the next turn.
    setImmediate(() => {
      isOn = false;
      const mark = isAsBefore() && !isWaiting() ? '' : '!';
      write(`${mark}${isReached ? 'effective' : said}\n`);
    });
  });
  write('ready\n');
};
