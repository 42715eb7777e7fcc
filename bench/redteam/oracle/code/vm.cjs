// Evaluates vulnerable expressions in a context of node:vm: one line of JSON in, the effect out.
const { randomBytes } = require('node:crypto');
const vm = require('node:vm');
const { answerLines } = require('./node-lines.cjs');

const sources = {
  expression: (value) => `(${value})`,
  argument: (value) => `discount(${value})`,
  'string, single quotes': (value) => `discount('${value}')`,
  'string, double quotes': (value) => `discount("${value}")`,
};

/** Each has an object of the application in it, as contexts have: the way out of them. */
answerLines(({ context, values }) => {
  const secret = randomBytes(12).toString('hex');
  const scope = vm.createContext({ discount: () => 0, price: 12, config: { secret } });
  const value = vm.runInContext(sources[context](values[0]), scope, { timeout: 200 });
  const shown = `${value === scope.config ? secret : value}`;
  return shown.includes(secret) ? 'effective' : 'inert';
});
