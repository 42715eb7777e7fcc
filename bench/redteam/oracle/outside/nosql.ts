import { randomUUID } from 'node:crypto';
import { createContext, Script } from 'node:vm';
import { Query } from 'mingo';
import qs from 'qs';
import { answerLines, type Victim } from './answer-lines.ts';

// Documents as a shop has them. The passwords cannot be guessed: a client that gets one broke in.

const users = ['admin', 'alice', 'mallory'].map((username, index) => ({
  username,
  password: randomUUID(),
  email: `${username}@shop.test`,
  age: 30 + index,
  token: randomUUID(),
  owner: username,
  title: `${username} ${randomUUID()}`,
  roles: index === 0 ? ['admin', 'user'] : ['user'],
}));
const documents = JSON.stringify(users);

const victims: Record<string, Victim> = {
  'log-in, form': (values, names) => finds(credentials(fromForm(names, values))),
  'log-in, JSON': (values, names) => finds(credentials(fromJson(names, values))),
  'token, form': (values, names) => finds({ token: fromForm(names, values)['token'] }),
  'token, JSON text': ([text]) => finds({ token: JSON.parse(`${text}`) }),
  'filter, JSON text': ([text]) => runsScript(JSON.parse(`${text}`)),
  'JSON by concatenation, string': ([text]) =>
    findsOthers(JSON.parse(`{"owner":"mallory","email":"${text}"}`)),
  'JSON by concatenation, number': ([text]) =>
    findsOthers(JSON.parse(`{"owner":"mallory","age":${text}}`)),
  'JSON by concatenation, log-in': ([name, word]) =>
    finds(JSON.parse(`{"username":"${name}","password":"${word}"}`)),
  'where, single quotes': ([text]) => where(`this.token == '${text}'`),
  'where, double quotes': ([text]) => where(`this.token == "${text}"`),
  'where, template literal': ([text]) => where(`this.token === \`${text}\``),
  'where, number': ([text]) => where(`this.token == 'none' && this.age > ${text}`),
  'where, function': ([text]) =>
    where(`function() { return this.token == 'none' && this.email.indexOf('${text}') > -1; }`),
  'where, regular expression': ([text]) =>
    where(`this.token == 'none' && /${text}/i.test(this.email)`),
  'where, log-in': ([name, word]) =>
    where(`this.username == '${name}' && this.password == '${word}'`),
  'where, property': ([text]) => where(`this.${text} == 'nobody' && this.token == 'none'`),
};

answerLines(victims);

/** The body as Express's parser of forms makes it. */
function fromForm(names: readonly string[], values: readonly string[]): Record<string, unknown> {
  const pairs = names.map((name, index) => {
    const inBody = name.slice(name.indexOf('.') + 1);
    return `${encodeURIComponent(inBody)}=${encodeURIComponent(values[index] ?? '')}`;
  });
  return qs.parse(pairs.join('&'), { depth: 32, allowPrototypes: true });
}

/** The body as JSON, with a member for each step of a name. */
function fromJson(names: readonly string[], values: readonly string[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const steps = name.split('.').slice(1);
    const last = steps.pop() ?? '';
    let target = body;
    for (const step of steps) {
      const inner = target[step] ?? {};
      target[step] = inner;
      target = inner as Record<string, unknown>;
    }
    target[last] = values[index];
  }
  return body;
}

function credentials(body: Record<string, unknown>): Record<string, unknown> {
  return { username: body['username'], password: body['password'] };
}

/** Whether a document is found; the benign way needs a password or a token. */
function finds(criteria: Record<string, unknown>): boolean {
  return new Query(criteria).find(users).all().length > 0;
}

/** Whether documents of others are found for a user who may see her own. */
function findsOthers(criteria: Record<string, unknown>): boolean {
  const found = new Query(criteria).find<(typeof users)[number]>(users).all();
  return found.some(({ owner }) => owner !== 'mallory');
}

/** Whether a filter holds a script that the server runs, in `$where` or in `$function`. */
function runsScript(filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null) return false;
  return Object.entries(filter).some(([name, value]) => {
    const code = name === '$where' ? value : name === '$function' ? value?.body : undefined;
    if (typeof code !== 'string') return runsScript(value);
    runWhere(code);
    return true;
  });
}

/** What the shell of the database has, as far as scripts use it, with a canary in it. */
const prelude = new Script(`
  var reached = false;
  var sleep = function () { reached = true; return 0; };
  var print = sleep, version = sleep, hex_md5 = sleep, load = sleep;
  var db = { getName: sleep, version: sleep, dropDatabase: sleep,
    users: { drop: sleep, find: sleep, insert: sleep, remove: sleep } };
  var documents = ${documents};
`);

/** Whether the script gets other people's documents, or calls what it has no business with. */
function where(code: string): boolean {
  const { found, reached } = runWhere(code);
  return found || reached;
}

/** `$where` as the server runs it, once for each document: the last expression is the result. */
function runWhere(code: string): { found: boolean; reached: boolean } {
  const context = createContext({ code });
  prelude.runInContext(context);
  const isFunction = /^\s*(?:async\s+)?function\b/.test(code);
  const call = isFunction
    ? `(${code}).call(one)`
    : compiles(code)
      ? `(function () { return eval(code); }).call(one)`
      : `(function () { ${code}\n}).call(one)`;
  const filter = new Script(`documents.filter(function (one) { return ${call}; }).length > 0`);
  const found = filter.runInContext(context) === true;
  return { found, reached: new Script('reached').runInContext(context) === true };
}

function compiles(code: string): boolean {
  try {
    return new Script(code) !== undefined;
  } catch {
    return false;
  }
}
