import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `\\host\share\x.php`: an include over the network file system, which ignores the ban on URLs. */
export const uncScript: ValueRule = {
  id: 'rfi.unc-script',
  cwe: 'CWE-98',
  severity: 'critical',
  score: confidence.strong,
  message: 'names a script on a network share so that an include runs it here',
  trigger: {
    literals: [
      ['\\\\'],
      wordList('.php .txt .inc .phtml .asp .jsp .dll .exe .hta .sct .scf .cfm .pl'),
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    // The value is the path, or a parameter's value is.
    const start = text.startsWith('\\\\') ? 0 : text.indexOf('=\\\\') + 1;
    if (start === 0 && !text.startsWith('\\\\')) return undefined;
    const found = uncPath.exec(text.slice(start, start + pathCharsMax));
    if (found === null) return undefined;
    const host = found[1] ?? '';
    const isForeign = host.includes('.') || host.includes('@');
    const isText = (found[2] ?? '').toLowerCase() === 'txt';
    return {
      start,
      end: start + found[0].length,
      score: isForeign ? confidence.certain : isText ? confidence.trace : confidence.likely,
    };
  },
  examples: [
    '\\\\files.example.net\\share\\x.php',
    '\\\\203.0.113.5\\c$\\c99.txt',
    '/a.php?inc=\\\\files.example.net\\s\\a.inc',
  ],
  lookalikes: [
    '\\\\fileserver\\share\\2024\\plan.xlsx',
    '\\\\fileserver\\public\\notes.txt',
    'mount \\\\fileserver\\www\\index.php first',
  ],
};

const pathCharsMax = 300;
const uncPath =
  /^\\{2,4}([\w.@-]{1,120})\\{1,2}[^\s"'<>|?*]{1,160}\.(php[3457]?|txt|inc|phtml|aspx?|jspx?|dll|exe|hta|sct|scf|cfm|pl)(?=$|[?%#\u0000\s&])/i;
