import { confidence } from '../../placement/confidence.ts';
import { firstField, foundBy } from '../../placement/evidence.ts';
import { isSpace } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import { firstMatch, type Shape } from '../../text/shape.ts';
import { wordList } from '../../text/words.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/** Django and what borrows from it: `user__password__startswith`; ransack: `q[password_start]`. */
const suffixed =
  /(?:^|[?&])[\w.[\]]{0,60}(?:password|passwd|pwd|pin|secret|token|api_?key|hash|digest)(?:__(?:i?(?:startswith|endswith|regex|contains|like)|[gl]te?)|_(?:start|cont|matches|[gl]teq)(?=\]))\]?(?:$|=)/i;
/** LoopBack, Strapi, Directus: `[password][regexp]`, `[token][$startsWith]`, `password[not]`. */
const bracketed =
  /(?:(?:password|passwd|pwd|pin|secret|token|api_?key|hash|digest)\]|(?:password|passwd|pwd|secret|_token|api_?key))\[[$_]?(?:starts_?with|ends_?with|regexp?|contains|n?i?like|[gl]te?|neq?|not|not_?null|between)\](?:$|=)/i;
/** Lucene: an expression or a range of a secret, or whether there is one. */
const lucene =
  /(?:^|[\s(+!-])(?:_exists_:\s?(?:\w{1,20}\.)?(?:password|passwd|pwd|secret|\w{0,20}token|api_?key)\b|(?:\w{1,20}\.)?(?:password|passwd|pwd|secret|\w{0,20}token|api_?key):(?:\/[^\s/]{0,60}[.*+?[][^\s/]{0,60}\/(?=$|[\s)])|[[{]\s?\S{1,40}\s{1,3}TO\s{1,3}\S{1,40}\s?[\]}]))/i;
/** Prisma, Hasura: `{password: {startsWith: "a"}}` and `{password: {_like: "a%"}}`. */
const nested =
  /(?:password|passwd|pwd|pin|secret|token|api_?key|hash|digest)["']?\s?:\s?\{\s?["']?_?(?:starts_?with|i?regex|contains|i?like|similar|[gl]te?)["']?\s?:\s?["']/i;
/** What each expression and range of Lucene has, and the address of a page has not. */
const luceneSign = /:(?:\/[^/\s]|[[{])|(?<=_exists_):/iy;
const shapes: readonly Shape[] = [
  { pattern: suffixed, needs: ['_'] },
  { pattern: bracketed, needs: ['['] },
];

/** A filter that asks how a secret begins: one letter a request, and the secret is known. */
export const secretFilter: ValueRule = {
  id: 'nosqli.secret-filter',
  score: confidence.strong,
  message: 'compares a part of a secret, so that the answers spell it out letter by letter',
  trigger: {
    literals: [
      ['pass', 'pwd', 'pin', 'secret', 'token', 'key', 'otp', 'hash'],
      wordList(
        '__start __istart __regex __iregex __cont __icont __like __gt __lt __end _start]',
        '_start= _cont] _cont= _matches [$ [_ [ne [not [bet [like [nlike [ilike [nilike [gt [lt',
        '[cont [start [end [reg :/ :[ :{ _exists_: startswith _like _ilike _regex _similar _gt _lt contains',
      ),
    ],
  },
  examples: [
    { body: { 'query.filter[where][password][regexp]': '^a' } },
    { body: { path: '/api/users?filter[where][token][like]=a%' } },
    { body: { created_by__password__startswith: 'pbkdf2' } },
    { body: { 'q[reset_password_token_start]': 'a' } },
    { body: { 'filters[secret][$startsWith]': 'a' } },
    { body: { 'filter[password][_starts_with]': 'a' } },
    { body: { user: 'ann', 'password[not]': 'x' } },
    { body: { 'reset_token[gt]': '' } },
    ...['password:/a.*/', 'name:ann AND password:[a TO b]', '_exists_:password'],
    '{"password":{"startsWith":"a"}}',
    { body: { query: '{ users(where:{password:{_like:"a%"}}) { id } }' } },
  ],
  lookalikes: [
    { body: { 'filter[where][name][like]': 'Ann%' } },
    { body: { name__startswith: 'A', token: 'x', 'price[gt]': '5' } },
    { body: { password_start: 'x', 'q[name_cont]': 'a', 'q[key]': 'b' } },
    { body: { 'password[first]': 'a', 'filter[token][eq]': 'ETH', 'token[gt]': '5' } },
    'password: * means required; secret:/run/keys/db is a path',
    '{"password":{"minLength":8},"name":{"contains":"a"}}',
    'Why does User.objects.filter(password__startswith="x") find nothing in Django?',
    { body: { query: '{ keys(where:{name:{_like:"token%"}}) { id } }' } },
  ],
  judge({ text }): Match | undefined {
    const found = firstMatch(text, shapes);
    if (found !== null) return foundBy(found);
    const { opensObject, opensLucene } = colonsOf(text);
    return foundBy(
      (opensObject ? nested.exec(text) : null) ?? (opensLucene ? lucene.exec(text) : null),
    );
  },
};

/** What stands behind the colons of a text, where prose has a blank and a word. */
function colonsOf(text: string): { readonly opensObject: boolean; readonly opensLucene: boolean } {
  let [opensObject, opensLucene] = [false, false];
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const next = text.charCodeAt(at + 1);
    opensObject ||= next === brace || (isSpace(next) && text.charCodeAt(at + 2) === brace);
    if (behindColon[next] !== 1 && text.charCodeAt(at - 1) !== underscore) continue;
    luceneSign.lastIndex = at;
    opensLucene ||= luceneSign.test(text);
  }
  return { opensObject, opensLucene };
}

const behindColon = characterSet('/[{');
const brace = 123;
const underscore = 95;

/** The same as members of the body: `{"password": {"startsWith": "a"}}`. */
export const secretMember: RequestRule = {
  id: 'nosqli.secret-member',
  score: confidence.strong,
  message: 'compares the start of a secret, so that the answers spell it out letter by letter',
  examples: [
    { body: { where: { password: { startsWith: 'a' } } } },
    { body: { filter: { user: { resetToken: { _like: 'a%' } } } } },
    { body: { user: 'ann', password: { not: '' } } },
    { body: { resetToken: { not: null }, password: 'new' } },
    { body: { id: { not: -1 }, password: { contains: '' } } },
    { body: { where: { password: { gte: 'a' } } } },
  ],
  lookalikes: [
    { body: { where: { name: { startsWith: 'A' } } } },
    { body: { labels: { password: { startsWith: 'It must not start with a blank' } } } },
    { body: { password: { contains: 'digits' }, token: { type: 'string', not: 'ETH' } } },
    { body: { password: { not: { pattern: 'x' }, gte: 8 }, api_key: { in: 'header' } } },
    { body: { errors: { password: { not: 'It must not be your name' } } } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    const { fields } = request;
    return firstField(fields, (one, index) => {
      const { parent } = one.node;
      if (one.where !== 'name' || parent === undefined || !operator.test(one.text)) return false;
      const secret = String(parent.key);
      const next = fields[index + 1];
      const value = next?.node === one.node ? next.text : undefined;
      if (prefixOperator.test(one.text)) {
        return value !== undefined && oneWord.test(value) && secretName.test(secret);
      }
      if (!ownSecret.test(secret)) return false;
      if (value === '') return anyOperator.test(one.text);
      if (value !== undefined) return inequality.test(one.text) && oneWord.test(value);
      // Null, a number or a list; an object is a part of a schema.
      return negation.test(one.text) && !(next?.where === 'name' && next.node.parent === one.node);
    });
  },
};

/** All that follow; most names end here. */
const operator =
  /^[_$]?(?:(?:starts|ends)_?with|istartswith|i?like|i?regex|similar|not(?:_?in)?|neq?|[gl]te?|i?contains)$/i;
const prefixOperator = /^[_$]?(?:starts_?with|istartswith|i?like|i?regex|similar)$/i;
const secretName = /(?:password|passwd|pwd|pin|secret|token|api_?key|hash|digest)$/i;
const oneWord = /^\S{1,80}$/;
/** What is compared with nothing else than its equal. */
const ownSecret =
  /(?:password|passwd|pwd|secret|(?:reset|refresh|access|auth|session)_?token|api_?key)$/i;
const negation = /^[_$]?(?:not|neq?|not_?in)$/i;
const inequality = /^[_$]?(?:not|neq?|[gl]te?)$/i;
/** The empty text is a part of all. */
const anyOperator = /^[_$]?(?:not|neq?|[gl]te?|i?contains|(?:starts|ends)_?with)$/i;
