import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `${script:javascript:…}`, `${dns:address|…}`, `${url:UTF-8:…}` of Apache Commons Text. */
export const stringLookup: ValueRule = {
  id: 'code.string-lookup',
  cwe: 'CWE-94',
  severity: 'critical',
  score: confidence.certain,
  message: 'is a lookup of Apache Commons that runs a script or connects to another machine',
  trigger: {
    classes: charClass.dollar | charClass.brace | charClass.colon,
    literals: [
      wordList(
        'script: dns: url: file: java: const: xml: resourcebundle: base64decoder:',
        'properties: urldecoder: exec:',
      ),
    ],
  },
  judge: ({ text }) => foundBy(lookup.exec(text)),
  examples: [
    '${script:javascript:java.lang.Runtime.getRuntime()}',
    '${dns:address|evil.example.com}',
    '${url:UTF-8:http://evil.example.com/}',
    '${file:UTF-8:/etc/hosts}',
    '${ script:groovy:1 }',
    '${xml:/etc/x.xml:/a}',
  ],
  lookalikes: [
    'the ${date:yyyy} of ${name}',
    'open ${file:name} in the editor',
    'url: ${url}',
    '${workspaceFolder}/src',
    'script: ${name}, dns: none',
  ],
};

/** Name, then the argument in the form that the lookup takes. */
const lookup =
  /\$\{ {0,4}(?:script:[a-z]{2,20}:|dns:(?:(?:address|name|canonical-name)\||[a-z0-9.-]{4,80}\})|url:[a-z0-9-]{2,20}:[a-z]|file:[a-z0-9-]{3,20}:|xml:[^:}]{1,80}:|const:[a-z_]{1,40}\.[a-z_.]{1,80}|java:(?:runtime|vm|os|hardware|version|locale)\}|properties:[^:}]{1,80}::|resourcebundle:[^:}]{1,80}:|base64decoder:|urldecoder:|exec:)[^}\n]{0,120}\}?/i;
