import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

const operationsMax = 10;
const operation = '"query"';

/** Many operations in one JSON array: a way around limits that count requests. */
export const batch: ValueRule = {
  id: 'graphql.batch',
  category: 'graphql',
  cwe: 'CWE-770',
  severity: 'medium',
  score: 75,
  message: 'sends very many operations in one request',
  trigger: { literals: [[operation], ['mutation', 'query{', 'query {', '{']] },
  examples: [
    JSON.stringify(Array.from({ length: 25 }, (_, i) => ({ query: `mutation{pay(n:${i}){ok}}` }))),
  ],
  lookalikes: [
    JSON.stringify([{ query: '{ me { id } }' }, { query: '{ cart { total } }' }]),
    JSON.stringify(Array.from({ length: 25 }, () => ({ query: 'cheap flights' }))),
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    let operations = 0;
    for (let at = text.indexOf(operation); at >= 0; at = text.indexOf(operation, at + 7)) {
      if (!opensOperation.test(text.slice(at + 7, at + 60))) continue;
      operations++;
      if (operations > operationsMax) return { start: at, end: at + operation.length };
    }
    return undefined;
  },
};

/** The same as items of an array in the body. */
export const batchItems: RequestRule = {
  id: 'graphql.batch-items',
  category: 'graphql',
  cwe: 'CWE-770',
  severity: 'medium',
  score: 75,
  message: 'sends very many operations in one request',
  examples: [
    {
      body: {
        batch: Array.from({ length: 25 }, (_, i) => ({ query: `mutation{pay(n:${i}){ok}}` })),
      },
    },
  ],
  lookalikes: [
    { body: { batch: [{ query: '{ me { id } }' }, { query: '{ cart { total } }' }] } },
    { body: { searches: Array.from({ length: 25 }, () => ({ query: 'cheap flights' })) } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    let operations = 0;
    for (let field = 0; field < request.fields.length; field++) {
      const one = request.fields[field];
      if (one?.where !== 'value' || one.node.key !== 'query') continue;
      if (typeof one.node.parent?.key !== 'number' || !operationText.test(one.text)) continue;
      operations++;
      if (operations > operationsMax) return { field, start: 0, end: one.text.length };
    }
    return undefined;
  },
};

const operationText = /^\s{0,4}(?:(?:query|mutation)\b[^"{]{0,30}\{|\{)/;
const opensOperation = /^\s{0,4}:\s{0,4}"\s{0,4}(?:(?:query|mutation)\b[^"{]{0,30}\{|\{)/;
