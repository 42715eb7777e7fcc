// Renders vulnerable templates with an engine of Node.js: one line of JSON in, the effect out. What
// leaves the process is stubbed, and refused by the permissions of the process besides.
// A program in CommonJS, as many are: `process.mainModule` leads from a template to all modules.
const childProcess = require('node:child_process');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { createInterface } = require('node:readline');

const engine = process.argv[2];
const library = require(engine);
const renderers = {
  nunjucks: (source, scope) =>
    new library.Environment(null, { autoescape: false }).renderString(source, scope),
  ejs: (source, scope) => library.render(source, scope),
  handlebars: (source, scope) => library.compile(source, { noEscape: true })(scope),
  pug: (source, scope) => library.render(source, scope),
};
const render = renderers[engine];
const { stdout } = process;
let isReached = false;
let isOn = false;

/** Takes the place of all functions of a module while a template is rendered. */
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

render('warm', {});
watch(childProcess, Object.keys(childProcess));
watch(
  fs,
  Object.keys(fs).filter((name) => !/^[A-Z_]|stat|realpath/.test(name)),
);
watch(process, [
  'exit',
  'kill',
  'abort',
  'binding',
  'dlopen',
  'reallyExit',
  '_kill',
  'chdir',
  'cwd',
]);
syncBuiltinESMExports();

stdout.write('ready\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { source, secret } = JSON.parse(line);
  isReached = false;
  let said = {};
  isOn = true;
  try {
    said = { shown: String(render(source, { config: { secret_key: secret } })).slice(0, 8000) };
  } catch {
    // The engine rejected the template, or a stub stopped it.
  }
  isOn = false;
  stdout.write(`${JSON.stringify(isReached ? { reached: true } : said)}\n`);
});
