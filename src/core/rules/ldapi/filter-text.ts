import { isPasswordName } from '../../../contract/secret-names.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { isSignInMember } from '../../placement/member.ts';
import { charClass } from '../../text/char-class.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** A whole filter where the name of somebody was expected, or nothing but the marks of one. */
export const filterValue: ValueRule = {
  id: 'ldapi.filter-value',
  score: confidence.likely,
  message: 'is an LDAP filter instead of a name, or probes with the punctuation of one',
  trigger: { isOfValues: true, classes: charClass.paren, charsMax: 300 },
  examples: [
    ...["*()|&'", '|(uid=*)', '&(cn=anna)(sn=*)', '(sn=*)', '*)(|&'],
    ...[{ body: { username: '(objectClass=*)' } }, { body: { user: '!(uid=*)' } }],
    { body: { uid: '(|(sAMAccountName=*)(mail=*))' } },
    { body: { login: '(&(objectCategory=person)(adminCount=1))' } },
  ],
  lookalikes: [
    ...['(*_*)', '|(a or b)', '(x=2*)', '(&)'],
    { body: { filter: '(&(objectClass=person)(uid=anna))' } },
    { body: { name: 'Anna (Bonn) & Bob' } },
    { body: { search_filter: '(objectClass=*)' } },
    { body: { username: '(anna)', nickname: 'anna (=^.^=)' } },
  ],
  judge(subject): Match | undefined {
    const text = subject.text.trim();
    const end = subject.text.length;
    const isProbe = onlyMarks.test(text) && text.includes('*') && text.includes('(');
    const isFilter = !isProbe && wholeFilter.test(text) && isSignInMember(subject.member);
    if (isProbe || isFilter || headlessFilter.test(text)) return { start: 0, end };
    const isPresence = presence.test(text) && !queryMember.test(subject.member);
    return isPresence ? { start: 0, end, score: confidence.likely } : undefined;
  },
};

/** `userPassword:2.5.13.18:=a`: a matching rule by its number, which only filters have (RFC 4515). */
export const matchingRule: ValueRule = {
  id: 'ldapi.matching-rule',
  score: confidence.likely,
  message: 'compares an attribute by a matching rule of LDAP instead of naming a user',
  trigger: { literals: [[':=']] },
  examples: [
    ...['userPassword:2.5.13.18:=123', 'anna)(userAccountControl:1.2.840.113556.1.4.803:=2'],
    ...['cn:dn:2.5.13.5:=Anna', '*)(&(userAccountControl:1.2.840.113556.1.4.803:=2)'],
  ],
  lookalikes: [
    ...['count:=3', 'f(x):=2.5*x', 'version:1.2.3:=stable'],
    'Ours is (&(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2))) in AD',
    { body: { filter: '(userAccountControl:1.2.840.113556.1.4.803:=2)' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where === 'name' || queryMember.test(subject.member)) return undefined;
    const text = subject.text.slice(0, filterCharsMax);
    const found = ruleByNumber.exec(text);
    return found !== null && isOfAccounts(text, found.index) ? undefined : foundBy(found);
  },
};

/**
 * `(&(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))`: a filter of its own, as
 * settings of a directory have it. It closes nothing that it has not opened.
 */
function isOfAccounts(text: string, at: number): boolean {
  if (!flags.test(text.slice(at, at + 24))) return false;
  let depth = 0;
  for (const character of text.slice(0, at)) {
    if (character === '(') depth++;
    else if (character === ')' && --depth < 0) return false;
  }
  return depth > 0;
}

/** What says of an account whether it is disabled, and of a group what it is for. */
const flags = /^(?:userAccountControl|groupType|systemFlags|memberOf)\b/i;

/** `*` as a password: the filter of a log-in finds whatever password there is. */
export const wildcardValue: ValueRule = {
  id: 'ldapi.wildcard-value',
  score: confidence.likely,
  message: 'is a pattern of LDAP, which any name or password fits',
  trigger: { isOfValues: true, classes: charClass.star, charsMax: 36 },
  examples: [
    ...inMember('uid', '*', '*n*', 'c*\\63*'),
    ...[{ body: { 'query.cn': '*' } }, { body: { 'query.uid': 'c*' } }],
    { body: { user: '*a*n*' } },
    { body: { username: 'admin', password: '*' } },
    { body: { username: 'c*', password: '*a*y*' } },
    { body: { username: 'admin', password: '*\\2A*' } },
  ],
  lookalikes: [
    ...inMember('password', '********', 'a*b7!Kx', '***'),
    ...[{ body: { username: 'star*' } }, { body: { uid: 'c***' } }],
    ...[{ body: { user: '*star*' } }, { body: { text: '*a*n*' } }],
    { body: { q: '*', fields: '*' } },
    { body: { uid: '3*7', cn: 'Ann*' } },
  ],
  judge({ text, member }): Match | undefined {
    // An octet in hex is one character of the name, and no wildcard (RFC 4515, 3).
    const pattern = text.replaceAll(octet, 'x');
    if (pattern.length > patternCharsMax) return undefined;
    return isPatternFor(member, pattern) ? { start: 0, end: text.length } : undefined;
  },
};

function isPatternFor(member: string, text: string): boolean {
  if (isPasswordName(member)) return patterns.test(text);
  if (text === '*') return entryMember.test(member);
  if (spread.test(text)) return isSignInMember(member);
  return beginning.test(text) && identifierMember.test(member);
}

const patternCharsMax = 12;
const octet = /\\[\da-f]{2}/gi;
/** `c*`, `*n*`, `c*h*`: parts of a name, with all that there is around them. */
const beginning = /^\*?(?:[A-Za-z\d]{1,10}\*){1,4}$/;
/** `*a*n*`: letters one by one, as a search goes that finds a name out. */
const spread = /^\*(?:[\w.@-]{1,4}\*){2,6}$/;
/** What names one entry, and is no text to search in. */
const identifierMember = /(?:^|[._\-[])(?:uid|sam_?account_?name)\]?$/i;
/** `*`, `*a*y*`: no stars in a row, as in what hides a password. */
const patterns = /^\*(?:\w\*){0,5}$/;
/** Names that only directories have. */
const entryMember = /(?:^|[._\-[])(?:uid|cn|dn|sam_?account_?name)\]?$/i;

/** Numbers of X.500 and of vendors, at least four in a row. */
const ruleByNumber = /[A-Za-z][\w-]{0,40}(?::dn)?:[0-2](?:\.\d{1,7}){3,12}:=[^()\s]/;

const filterCharsMax = 300;
/** `*()|&'`: no component, and each mark that a filter is made of. */
const onlyMarks = /^(?=[^|&]{0,12}[|&])[*()|&!'=]{5,12}$/;
/** `|(uid=*)`: the mark of a compound filter without the parenthesis in front of it. */
const headlessFilter = /^[|&]\([A-Za-z][\w-]{1,40}[~<>]?=[^()\s]{1,120}\)[()&|!\w=*.@:,-]{0,200}$/;
/** `(sn=*)`: whatever has the attribute. */
const presence = /^\([A-Za-z][\w-]{1,40}=\*\)$/;
/** Where directories are asked for by filters. */
const queryMember = /filter|ldap|query|search|base|acl/i;
const wholeFilter =
  /^!?\((?:[&|!]\()?[A-Za-z][\w-]{0,40}(?::[\w.]{1,40}:)?[~<>]?=[^()]{1,120}\)[()&|!\w=*.@:, -]{0,200}$/;

/** A whole filter around a constant comparison, or around a secret attribute with a wildcard. */
export const absurdFilter: ValueRule = {
  id: 'ldapi.absurd-filter',
  score: confidence.likely,
  message: 'is a filter made to be always true or to read a password attribute',
  trigger: {
    classes: charClass.paren | charClass.equals,
    literals: [
      ['(&(', '(|(', '(!('],
      ['(1=', '(0=', 'password=', '(objectclass=*)'],
    ],
  },
  examples: [
    ...['(&(uid=x)(!(&(1=0)(userPassword=z))))', '(|(cn=*)(userPassword=*))', '(&(1=1)(cn=a))'],
    '(&(mail=a)(|(ou=b)(objectclass=*)))',
    { body: { filter: '(|(objectClass=*)(uid=*))' } },
  ],
  lookalikes: [
    ...['(&(objectClass=person)(mail=anna@example.org))', '(|(department=IT)(department=HR))'],
    ...['(!(disabled=TRUE))', '(&(objectClass=*)(uid=anna))'],
  ],
  judge(subject): Match | undefined {
    if (!compound.test(subject.text)) return undefined;
    return foundBy(constantComparison.exec(subject.text));
  },
};

/** RFC 4515, 3: and, or, not. */
const compound = /\([&|!]\(/;
/** The last is true for every entry, so that nothing beside it counts. */
const constantComparison =
  /\([01]=[01]\)|\([uU]ser[pP]assword=[^)]|\(\|(?:\([A-Za-z][\w-]{0,40}=[^()]{1,80}\)){0,4}\(object[cC]lass=\*\)/;

/** A wildcard followed at once by a compound filter: `*(|(cn=*))`. */
export const nestedFilter: ValueRule = {
  id: 'ldapi.nested-filter',
  score: confidence.likely,
  message: 'appends a compound filter to a wildcard',
  trigger: { classes: charClass.paren | charClass.equals, literals: [['*(|(', '*(&(', '*(!(']] },
  examples: ['*(|(pager=*))', 'x*(&(cn=a)(sn=b))', '*(!(mail=*))'],
  lookalikes: ['2*(|(x)|+1)', 'a*(!(b==c))', 'rate 5*(great)'],
  judge: ({ text }) => foundBy(wildcardThenFilter.exec(text)),
};

const wildcardThenFilter = /\*\([|&!]\([A-Za-z][A-Za-z0-9-]{0,40}=[^=]/;

/** Two filter components side by side, one of them negated or a presence test, as a whole value. */
export const siblingFilters: ValueRule = {
  id: 'ldapi.sibling-filters',
  score: confidence.likely,
  message: 'is two filter components in a row, which widen the filter that they are put into',
  trigger: { classes: charClass.paren | charClass.equals, literals: [[')(']] },
  examples: ['(!(cn=zz))(sn=*)', '(uid=*)(mail=*)', '(cn=*)(!(ou=x))'],
  lookalikes: ['(x=1)(y=2)', '(a=b)(c=d)', '(&(uid=anna)(ou=it))', 'f(a)(b=*)'],
  judge: ({ text }) => foundBy(siblings.exec(text)),
};

const siblings =
  /^(?:\(!\([A-Za-z][\w-]{0,40}=[^()]{0,80}\)\)\([A-Za-z][\w-]{0,40}=|\([A-Za-z][\w-]{0,40}=\*\)\((?:!\()?[A-Za-z][\w-]{0,40}=)/;

/**
 * An LDAP URL with attributes, scope and filter (RFC 4516): a query that the value brings along.
 */
export const ldapUrl: ValueRule = {
  id: 'ldapi.ldap-url',
  score: confidence.strong,
  message: 'is an LDAP URL with a search of its own',
  trigger: { literals: [['ldap://', 'ldaps://', 'ldapi://'], ['?']] },
  examples: ['ldap://a.test/dc=x?mail?sub?(cn=*)', 'LDAPS://a.test/??one?(|(a=b)(c=d))'],
  lookalikes: [
    ...['ldap://ldap.example.org:389 is the server, isn’t it? (cn=x)', 'Is ldap://host/ right?'],
  ],
  judge: ({ text }) => foundBy(search.exec(text)),
};

const search = /ldap[si]?:\/\/[^ ?]{0,120}\?[\w,*-]{0,80}\?(?:base|one|sub)?\?\(/i;
