import type { Match, ValueRule } from '../rule.ts';

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

const opensOperation = /^\s{0,4}:\s{0,4}"\s{0,4}(?:(?:query|mutation)\b[^"{]{0,30}\{|\{)/;
