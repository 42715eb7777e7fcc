import type { Grammar } from '../contract.ts';
import { aName, aNumber, type Maker, oneOf } from './words.ts';

/** Attacks on search filters that are put together. */
export const ldap: Grammar = {
  language: 'ldap',
  attack(random, _oracle, context) {
    const kind = (name: string): string => `${name}/${context.name}`;
    if (context.name.endsWith('first filter')) {
      const value = firstFilter(random);
      const values = context.members.length === 1 ? [value] : [value, aName(random)];
      return { kind: kind('first filter'), values };
    }
    if (context.members.length === 2) {
      const [name, user] = random.pick(logIns);
      return { kind: kind(name), values: [user(random), anyWord(random)] };
    }
    if (context.name === 'alone' || random.chance(20)) {
      return { kind: kind('wildcard'), values: [wildcard(random)] };
    }
    if (context.name.startsWith('inner and')) {
      return { kind: kind('out of two'), values: [outOfTwo(random)] };
    }
    return { kind: kind('another operand'), values: [`${text(random)})${allButLast(random)}`] };
  },
};

const user: Maker = oneOf(
  () => 'admin',
  () => 'alice',
  () => 'bob',
);

const text: Maker = oneOf(aName, aNumber, () => '*', user);

/** Matches any text, or any that has a letter. */
const wildcard: Maker = oneOf(
  () => '*',
  (random) => `*${random.pick([...'acn'])}*`,
  (random) => `${random.pick(['c', 'ca', 'can'])}*`,
  (random) => `*${random.pick(['a*n', 'n*r', 'a*y', 'c*a*a'])}*`,
);

const anyWord: Maker = oneOf(
  () => '*',
  () => '*)(uid=*',
  (random) => `*)(${attribute(random)}=*`,
  (random) => `*)(|(uid=*)(uid=${aName(random)}))(cn=*`,
);

const attribute: Maker = oneOf(
  () => 'uid',
  () => 'cn',
  () => 'objectClass',
  () => 'mail',
  () => 'sn',
  () => 'description',
  () => 'title',
  () => 'userPassword',
  () => 'employeeType',
  () => 'entryUUID',
);

/** A filter that matches every person. */
const truth: Maker = oneOf(
  (random) => `(${attribute(random)}=*)`,
  () => '(&)',
  (random) => `(!(uid=${aName(random)}))`,
  (random) => `(|(${aName(random)}=${aNumber(random)})(${attribute(random)}=*))`,
  (random) => `(&(objectClass=*)(${attribute(random)}=*))`,
  (random) =>
    `(objectClass=${random.pick(['person', 'inetOrgPerson', 'top', 'organizationalPerson'])})`,
  () => '(employeeType=hidden)',
  (random) => `(mail=*@${random.pick(['shop.test', '*', 'shop*', '*.test'])})`,
  (random) => `(cn=*${random.pick(['shop', 's', 'a', ' '])}*)`,
  (random) => `(uid:caseExactSubstringsMatch:=*)(uid=${random.pick(['*', 'c*'])})`,
  (random) => `(createTimestamp>=19${10 + random.below(89)}0101000000Z)`,
  () => '(!(!(objectClass=*)))',
);

/** Operands, of which the statement closes the last one. */
const allButLast: Maker = (random) =>
  truth(random)
    .replace(/^(.*)\)$/s, '$1')
    .replace(/^\(&$/, '(uid=*');

const outOfTwo: Maker = (random) =>
  `${text(random)}))${truth(random)}${random.pick(['(&', '(|', '(&(uid=*)'])}(${attribute(random)}=${aName(random)}`;

/** A user of whom the password is any, or is not asked for. */
const logIns: readonly (readonly [string, Maker])[] = [
  ['any password', user],
  ['any user', wildcard],
  ['operand', (random) => `${user(random)})(${attribute(random)}=*`],
  ['not', (random) => `${user(random)})(!(uid=${aName(random)}x))(uid=*`],
  ['or', (random) => `${user(random)})(|(uid=${aName(random)})(objectClass=*))(cn=*`],
];

/** Ends the filter; what follows is a second one that the client ignores. */
const firstFilter: Maker = (random) => {
  const before = random.pick(['*', '*', user(random), `${random.pick(['a', 'c', 'b'])}*`]);
  const more = random.chance(60) ? truth(random) : '';
  const rest = random.pick(['(|', '(&', '(!(&']);
  return `${before})${more})${rest}(${attribute(random)}=${random.pick(['*', aName(random)])}`;
};
