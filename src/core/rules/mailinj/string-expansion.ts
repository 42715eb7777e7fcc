import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `${run{/bin/sh …}}@example.org`: Exim expands strings, and some expansions run programs. */
export const stringExpansion: ValueRule = {
  id: 'mailinj.string-expansion',
  cwe: 'CWE-78',
  severity: 'critical',
  score: confidence.certain,
  message: 'is an expansion with which the mail server Exim runs programs or reads files',
  trigger: {
    literals: [
      ['${run{', '${run,', '${readfile{', '${readsocket{', '${perl{', '${dlfunc{', '${lookup{'],
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    const found = expansion.exec(text);
    if (found === null) return undefined;
    const start = found.index;
    const end = Math.min(text.length, start + evidenceChars);
    // Lines of a configuration: `condition = ${run{…}}`.
    const isSetting = text.length > addressCharsMax || setting.test(text.slice(0, start));
    return { start, end, score: isSetting ? confidence.trace : confidence.certain };
  },
  examples: [
    '${run{/usr/bin/id}}@example.org',
    'root+${run{\\x2fbin\\x2fid}}@localhost',
    'anna@example.org ${readfile{/srv/conf/key}}',
    '${perl{system}{id}}',
  ],
  lookalikes: [
    'condition = ${run{/usr/local/bin/check $sender}{yes}{no}}',
    '${runner}{x}',
    'data = ${lookup{$local_part}lsearch{/srv/aliases}}',
    '`${run}{`',
  ],
};

const addressCharsMax = 400;
const evidenceChars = 80;
const expansion = /\$\{(?:run[{,]|(?:readfile|readsocket|perl|dlfunc)\{)/i;
const setting = /[=:]\s{1,4}["']?$/;
