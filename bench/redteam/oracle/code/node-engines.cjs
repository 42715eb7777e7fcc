// Renders vulnerable templates with an engine of Node.js: one line of JSON in, the effect out.
const { answerLines } = require('./node-lines.cjs');

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

render('warm', {});
answerLines(({ source, secret }) => {
  const shown = String(render(source, { config: { secret_key: secret } })).slice(0, 8000);
  return JSON.stringify({ shown });
}, library);
