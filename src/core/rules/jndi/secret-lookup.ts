import { lookupGrammar } from '../../grammars/template/lookup.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

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
    '${env:AWS_SECRET_ACCESS_KEY}',
    '${sys:java.version}',
    'http://${hostName}.files.example.net/',
    '${java:runtime}',
    '${ctx:loginId}',
  ],
  lookalikes: [
    '${env:HOME}',
    '${hostname}',
    '${env.BUILD_ID}',
    'serverless reads ${env:STAGE} and ${self:custom.x}',
  ],
};

const secret =
  /^\$\{(?:env:[A-Z0-9_]{0,40}(?:SECRET|PASS|TOKEN|KEY|CREDENTIAL)|sys:(?:java|user|os|sun)\.|java:(?:version|runtime|vm|os|hw|locale)|hostName\}|docker:container|k8s:|spring:|bundle:|web:(?:rootDir|servletContext)|log4j:config|ctx:\w|jvmrunargs:)/;
