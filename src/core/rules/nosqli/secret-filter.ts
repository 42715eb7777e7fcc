import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { firstMatch, type Shape } from '../../text/shape.ts';
import { wordList } from '../../text/words.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/** Django and what borrows from it: `user__password__startswith`; ransack: `q[password_start]`. */
const suffixed =
  /(?:^|[?&])[\w.[\]]{0,60}(?:password|passwd|pwd|pin|secret|token|api_?key|hash|digest)(?:__(?:i?(?:startswith|endswith|regex|contains|like)|[gl]te?)|_(?:start|cont|matches|[gl]teq)(?=\]))\]?(?:$|=)/i;
/** LoopBack, Strapi: `[password][regexp]`, `[token][$startsWith]`. */
const bracketed =
  /(?:password|passwd|pwd|pin|secret|token|api_?key|hash|digest)\]\[\$?(?:starts_?with|regexp?|contains|n?i?like|[gl]te?|neq?|between)\](?:$|=)/i;
/** Prisma, Hasura: `{password: {startsWith: "a"}}` and `{password: {_like: "a%"}}`. */
const nested =
  /(?:password|passwd|pwd|pin|secret|token|api_?key|hash|digest)["']?\s?:\s?\{\s?["']?_?(?:starts_?with|i?regex|contains|i?like|similar|[gl]te?)["']?\s?:\s?["']/i;
const shapes: readonly Shape[] = [
  { pattern: suffixed, needs: ['_'] },
  { pattern: bracketed, needs: [']['] },
  { pattern: nested, needs: [':{', ': {', ':\n'] },
];

/** A filter that asks how a secret begins: one letter a request, and the secret is known. */
export const secretFilter: ValueRule = {
  id: 'nosqli.secret-filter',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.strong,
  message: 'compares a part of a secret, so that the answers spell it out letter by letter',
  trigger: {
    literals: [
      ['pass', 'pwd', 'pin', 'secret', 'token', 'key', 'otp', 'hash'],
      wordList(
        '__start __istart __regex __iregex __cont __icont __like __gt __lt __end _start]',
        '_start= _cont] _cont= _matches ][reg ][st ][$ ][ne ][bet ][like ][nlike ][ilike',
        '][gt ][lt ][cont startswith _like _ilike _regex _similar _gt _lt contains',
      ),
    ],
  },
  examples: [
    { body: { 'query.filter[where][password][regexp]': '^a' } },
    { body: { path: '/api/users?filter[where][token][like]=a%' } },
    { body: { created_by__password__startswith: 'pbkdf2' } },
    { body: { 'q[reset_password_token_start]': 'a' } },
    { body: { 'filters[secret][$startsWith]': 'a' } },
    '{"password":{"startsWith":"a"}}',
    { body: { query: '{ users(where:{password:{_like:"a%"}}) { id } }' } },
  ],
  lookalikes: [
    { body: { 'filter[where][name][like]': 'Ann%' } },
    { body: { name__startswith: 'A', token: 'x', 'price[gt]': '5' } },
    { body: { password_start: 'x', 'q[name_cont]': 'a', 'q[key]': 'b' } },
    '{"password":{"minLength":8},"name":{"contains":"a"}}',
    'Why does User.objects.filter(password__startswith="x") find nothing in Django?',
    { body: { query: '{ keys(where:{name:{_like:"token%"}}) { id } }' } },
  ],
  judge(subject): Match | undefined {
    return foundBy(firstMatch(subject.text, shapes));
  },
};

/** The same as members of the body: `{"password": {"startsWith": "a"}}`. */
export const secretMember: RequestRule = {
  id: 'nosqli.secret-member',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.strong,
  message: 'compares the start of a secret, so that the answers spell it out letter by letter',
  examples: [
    { body: { where: { password: { startsWith: 'a' } } } },
    { body: { filter: { user: { resetToken: { _like: 'a%' } } } } },
  ],
  lookalikes: [
    { body: { where: { name: { startsWith: 'A' } } } },
    { body: { labels: { password: { startsWith: 'It must not start with a blank' } } } },
    { body: { password: { contains: 'digits' }, token: { type: 'string' } } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    const { fields } = request;
    const field = fields.findIndex((one, index) => {
      const { parent } = one.node;
      if (one.where !== 'name' || parent === undefined) return false;
      if (!prefixOperator.test(one.text) || !secretName.test(String(parent.key))) return false;
      const value = fields[index + 1];
      return value?.node === one.node && oneWord.test(value.text);
    });
    return field < 0 ? undefined : { field, start: 0, end: fields[field]?.text.length ?? 0 };
  },
};

const prefixOperator = /^[_$]?(?:starts_?with|istartswith|i?like|i?regex|similar)$/i;
const secretName = /(?:password|passwd|pwd|pin|secret|token|api_?key|hash|digest)$/i;
const oneWord = /^\S{1,80}$/;
