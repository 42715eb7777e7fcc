import { confidence } from '../../placement/confidence.ts';
import { isPartMember } from '../../placement/include-place.ts';
import type { ValueRule } from '../rule.ts';

/** `\\host\share\x.php`: an include over the network file system, which ignores the ban on URLs. */
export const uncScript: ValueRule = {
  id: 'rfi.unc-script',
  score: confidence.strong,
  message: 'names a script on a network share so that an include runs it here',
  trigger: { literals: [['\\\\']] },
  judge: (subject) => {
    const { text } = subject;
    // The value is the path, or a parameter's value is.
    const start = text.startsWith('\\\\') ? 0 : text.indexOf('=\\\\') + 1;
    if (start === 0 && !text.startsWith('\\\\')) return undefined;
    const given = text.slice(start, start + pathCharsMax);
    const found = uncPath.exec(given) ?? (isPartMember(subject.member) ? share.exec(given) : null);
    if (found === null) return undefined;
    const [path, host = '', extension] = found;
    const isForeign = host.includes('.') || host.includes('@');
    const own = extension?.toLowerCase() === 'txt' ? confidence.trace : confidence.likely;
    return { start, end: start + path.length, score: isForeign ? confidence.certain : own };
  },
  examples: [
    ...['\\\\files.example.net\\share\\x.php', '\\\\203.0.113.5\\c$\\c99.txt'],
    '/a.php?inc=\\\\files.example.net\\s\\a.inc',
    { body: { page: '\\\\files.example.net\\s\\a' } },
  ],
  lookalikes: [
    ...['\\\\fileserver\\share\\2024\\plan.xlsx', '\\\\fileserver\\public\\notes.txt'],
    'mount \\\\fileserver\\www\\index.php first',
    { body: { template: '\\\\files.example.net\\s\\letter.dotx' } },
    { body: { page: '\\\\fileserver\\s\\a', folder: '\\\\files.example.net\\s\\a' } },
  ],
};

const pathCharsMax = 300;
const uncPath =
  /^\\{2,4}([\w.@-]{1,120})\\{1,2}[^\s"'<>|?*]{1,160}\.(php[3457]?|txt|inc|phtml|aspx?|jspx?|dll|exe|hta|sct|scf|cfm|pl)(?=$|[?%#\u0000\s&])/i;
/**
 * What a page includes gets its extension from the program: a document has its own. A share of
 * another network has a full stop.
 */
const share =
  /^\\{2,4}([\w-]{1,60}[.@][\w.@-]{1,60})\\{1,2}(?:[^\s"'<>|?*\\]{1,80}\\{1,2}){0,8}[^\s"'<>|?*.\\]{1,80}$/;
