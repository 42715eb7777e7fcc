import { startsDocument } from '../../grammars/graphql/graphql.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

const operationsMax = 10;
/** No user logs in so often at once. */
const guessesMax = 3;
const guessCharsMax = 400;
/** `login(name: "ann", password: "` in a document, or in the JSON text of one. */
const guess =
  /\b(?:log_?in|sign_?in|auth|verify|unlock)\w{0,20}\s{0,4}\([^()]{0,200}\b(?:password|passwd|passcode|pin|otp|code)\s{0,4}:\s{0,4}\\?"/i;
const operation = '"query"';

/** Many operations in one JSON array: a way around limits that count requests. */
export const batch: ValueRule = {
  id: 'graphql.batch',
  cwe: 'CWE-770',
  severity: 'medium',
  score: confidence.likely,
  message: 'sends very many operations in one request',
  trigger: { literals: [[operation], ['mutation', 'query{', 'query {', '{']] },
  examples: [
    JSON.stringify(Array.from({ length: 25 }, (_, i) => ({ query: `mutation{pay(n:${i}){ok}}` }))),
    JSON.stringify(Array.from({ length: 5 }, (_, i) => ({ query: `{login(pin:"${i}"){ok}}` }))),
  ],
  lookalikes: [
    JSON.stringify([{ query: '{ me { id } }' }, { query: '{ cart { total } }' }]),
    JSON.stringify(Array.from({ length: 25 }, () => ({ query: 'cheap flights' }))),
    JSON.stringify([{ query: '{ login(pin: "1") { ok } }' }, { query: '{ cart { total } }' }]),
    JSON.stringify(Array.from({ length: 5 }, (_, i) => ({ query: `{order(code:"${i}"){id}}` }))),
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    let operations = 0;
    let guesses = 0;
    for (let at = text.indexOf(operation); at >= 0; at = text.indexOf(operation, at + 7)) {
      if (!opensOperation.test(text.slice(at + 7, at + 60))) continue;
      operations++;
      if (guess.test(text.slice(at, at + guessCharsMax))) guesses++;
      if (operations > operationsMax || guesses > guessesMax)
        return { start: at, end: at + operation.length };
    }
    return undefined;
  },
};

/** The same as items of an array in the body. */
export const batchItems: RequestRule = {
  id: 'graphql.batch-items',
  cwe: 'CWE-770',
  severity: 'medium',
  score: confidence.likely,
  message: 'sends very many operations in one request',
  examples: [
    {
      body: {
        batch: Array.from({ length: 25 }, (_, i) => ({ query: `mutation{pay(n:${i}){ok}}` })),
      },
    },
    {
      body: { batch: Array.from({ length: 5 }, (_, i) => ({ query: `{login(pin:"${i}"){ok}}` })) },
    },
  ],
  lookalikes: [
    { body: { batch: [{ query: '{ me { id } }' }, { query: '{ cart { total } }' }] } },
    { body: { searches: Array.from({ length: 25 }, () => ({ query: 'cheap flights' })) } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    let operations = 0;
    let guesses = 0;
    for (let field = 0; field < request.fields.length; field++) {
      const one = request.fields[field];
      if (one?.where !== 'value' || one.node.key !== 'query') continue;
      if (typeof one.node.parent?.key !== 'number' || !startsDocument(one.text)) continue;
      operations++;
      if (guess.test(one.text.slice(0, guessCharsMax))) guesses++;
      if (operations > operationsMax || guesses > guessesMax)
        return { field, start: 0, end: one.text.length };
    }
    return undefined;
  },
};

const opensOperation = /^\s{0,4}:\s{0,4}"\s{0,4}(?:(?:query|mutation)\b[^"{]{0,30}\{|\{)/;
