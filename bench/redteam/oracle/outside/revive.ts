import { createContext, Script } from 'node:vm';
import { answerLines, type Victim } from './answer-lines.ts';

/** What Node offers to code, as stubs: a call of one, or a way to one, is the canary. */
const prelude = new Script(`
  let reached = false;
  const stub = new Proxy(function () {}, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => 'stub' : stub),
    apply: () => { reached = true; return stub; },
    construct: () => { reached = true; return stub; },
  });
  for (const name of ['require', 'process', 'fetch', 'console', 'setTimeout', 'global', 'alert']) {
    globalThis[name] = stub;
  }
  const mark = '_$$ND_FUNC$$_';
  function revive(value) {
    for (const key of Object.keys(value)) {
      if (typeof value[key] === 'object' && value[key] !== null) revive(value[key]);
      else if (typeof value[key] === 'string' && value[key].startsWith(mark)) {
        value[key] = eval('(' + value[key].slice(mark.length) + ')');
      }
    }
    return value;
  }
`);
const check = new Script('reached');

function victim(code: string, decode: (text: string) => string = (text) => text): Victim {
  const script = new Script(code);
  return ([text = '']) => {
    const context = createContext({ text: decode(text) });
    prelude.runInContext(context);
    let failure: unknown;
    try {
      script.runInContext(context);
    } catch (error) {
      failure = error;
    }
    if (check.runInContext(context) === true) return true;
    if (failure !== undefined) throw failure;
    return false;
  };
}

const base64 = (text: string): string => Buffer.from(text, 'base64').toString();

answerLines({
  'functions in JSON': victim('revive(JSON.parse(text))'),
  'functions in JSON, base64': victim('revive(JSON.parse(text))', base64),
  'eval of JSON': victim(`eval('(' + text + ')')`),
  'eval of JSON, member': victim(`eval('({"name":"tea","value":' + text + '})')`),
});
