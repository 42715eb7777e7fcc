import type { Rewriter } from '../contract.ts';
import { aName } from '../grammar/words.ts';
import { between, type Change, type Syntax, type Token, tokenRewriter } from './fragment.ts';

const syntax: Syntax = {
  language: 'graphql',
  quotes: '"',
  escape: '\\',
  comments: [['#', '\n']],
  word: /\.\.\.|[_A-Za-z]\w*/y,
};

const inGraphql = (name: string, change: Change): Rewriter => tokenRewriter(syntax, name, change);

const ignored = [' ', '\t', '\n', '\r\n', ',', ', ', '\ufeff', ' ,,\n'];

const isField = (tokens: readonly Token[], index: number): boolean => {
  const token = tokens[index];
  if (
    token?.kind !== 'word' ||
    /^(?:query|mutation|fragment|on|true|false|\.\.\.)$/.test(token.text)
  ) {
    return false;
  }
  const marks = (list: readonly Token[]) => list.filter(({ kind }) => kind !== 'space');
  const before = marks(tokens.slice(0, index)).at(-1);
  const behind = marks(tokens.slice(index + 1))[0];
  return (
    !/^[:($@]$|^(?:on|query|mutation|fragment|\.\.\.)$/.test(before?.text ?? '') &&
    behind?.text !== ':'
  );
};

/** Rewriters of GraphQL documents, and of pieces of them. */
export const graphqlRewriters: readonly Rewriter[] = [
  inGraphql('ignored characters', ({ kind }, random) =>
    kind === 'space' ? random.pick(ignored) : undefined,
  ),
  inGraphql(
    'between marks',
    between((random) => random.pick(ignored)),
  ),
  inGraphql('comment', ({ kind }, random) =>
    kind === 'space' ? ` # ${aName(random)}${random.pick(['', ' }', ' "'])}\n` : undefined,
  ),
  inGraphql('alias', ({ text }, random, tokens, index) =>
    isField(tokens, index) &&
    /^(?:__schema|__type|users|user|password|token|types|fields)$/.test(text)
      ? `${aName(random)}_: ${text}`
      : undefined,
  ),
  inGraphql('directive', ({ text }, random, tokens, index) =>
    isField(tokens, index) &&
    /^(?:__schema|users|password|token|name|title|types|fields)$/.test(text)
      ? `${text} ${random.pick(['@include(if: true)', '@skip(if: false)'])}`
      : undefined,
  ),
  inGraphql('fragment without a name', ({ text }, random, tokens, index) =>
    isField(tokens, index) && /^(?:password|token|title)$/.test(text)
      ? random.pick([`... { ${text} }`, `... @include(if: true) { ${text} }`])
      : undefined,
  ),
  inGraphql('fragment of a type', ({ text }, _random, tokens, index) =>
    isField(tokens, index) && /^(?:password|token)$/.test(text)
      ? `... on User { ${text} }`
      : undefined,
  ),
  inGraphql('fields more', ({ text }, random, tokens, index) =>
    isField(tokens, index) &&
    /^(?:__schema|__type|users|user|password|token|deleteUser|setRole)$/.test(text)
      ? `${random.pick(['__typename', `${aName(random)}_: __typename`])} ${text}`
      : undefined,
  ),
  inGraphql('block string', ({ kind, text }) =>
    kind === 'string' && text.length > 2 && !text.includes('\\') ? `""${text}""` : undefined,
  ),
  inGraphql('escapes', ({ kind, text }, random) => {
    if (kind !== 'string' || text.length < 3 || text.includes('\\')) return undefined;
    const at = 1 + random.below(text.length - 2);
    const digits = text.charCodeAt(at).toString(16);
    const escaped = random.pick([`\\u${digits.padStart(4, '0')}`, `\\u{${digits}}`]);
    return text.slice(0, at) + escaped + text.slice(at + 1);
  }),
  inGraphql('no white space', ({ kind }, _random, tokens, index) => {
    const besides = [tokens[index - 1]?.kind, tokens[index + 1]?.kind];
    return kind === 'space' && besides.includes('mark') ? '' : undefined;
  }),
  inGraphql('name of the operation', ({ text }, random, tokens, index) =>
    text === '{' && index === 0 && tokens.length > 1
      ? `${random.pick(['query', `query ${aName(random)}`])} {`
      : undefined,
  ),
];
