import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** The name of an uploaded file that a server would run. */
export const scriptUpload: ValueRule = {
  id: 'other.script-upload',
  category: 'other',
  cwe: 'CWE-434',
  severity: 'high',
  score: confidence.strong,
  message: 'uploads a file under a name that a web server runs as a program',
  trigger: {
    literals: [
      [
        '.php',
        '.pht',
        '.phar',
        '.jsp',
        '.jsw',
        '.jsv',
        '.asp',
        '.ashx',
        '.asmx',
        '.asa',
        '.cer',
        '.war',
        '.cfm',
        '.cgi',
        '.htaccess',
        'web.config',
        '.shtm',
        '.user.ini',
        '.pl',
        '.svc',
        '.soap',
        '.inc',
      ],
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    if (text.length > nameCharsMax || !isFileName(subject.member)) return undefined;
    // `a.php/.` is `a.php` to a file system, and has no extension to a check.
    const kept = text.endsWith('/.') ? text.length - 2 : text.length;
    const last = Math.max(text.lastIndexOf('/', kept - 1), text.lastIndexOf('\\', kept - 1));
    const name = text.slice(last + 1);
    const score = scoreOf(name, subject.member.endsWith('.filename'));
    return score === 0 ? undefined : { start: text.length - name.length, end: text.length, score };
  },
  examples: [
    { body: { 'body.avatar.filename': 'me.php' } },
    { body: { 'body.file.filename': 'photo.php.jpg' } },
    { body: { 'body.file.filename': 'photo.jpg.phtml' } },
    { body: { filename: 'x.asp;.jpg' } },
    { body: { filename: 'x.php\u0000.png' } },
    { body: { filename: 'x.php/.' } },
    { body: { filename: 'x.pHp5' } },
    { body: { filename: 'shell.php' } },
    { body: { filename: 'image.phar' } },
    { body: { 'body.file.filename': '.htaccess' } },
  ],
  lookalikes: [
    { body: { 'body.avatar.filename': 'me.jpg' } },
    { body: { filename: 'index.php' } },
    { body: { filename: 'INDEX.PHP' } },
    { body: { filename: 'shell.sh' } },
    { body: { 'body.file.filename': 'php.manual.pdf' } },
    { body: { 'body.file.filename': 'faktura.pl.pdf' } },
    { body: { filename: 'report.v2.final.pdf' } },
    { body: { comment: 'x.php.jpg' } },
  ],
};

const nameCharsMax = 256;

function isFileName(member: string): boolean {
  return fileMember.test(member.slice(-40));
}

const fileMember =
  /(?:^|[._\-[])(?:file|upload)?_?-?(?:filename|file_name|file-name)\]?$|filename$/i;

/** `isUpload`: the member is the name of an uploaded part, not just a member called so. */
function scoreOf(name: string, isUpload: boolean): number {
  if (hiddenExtension.test(name)) return confidence.strong;
  if (!isUpload) return disguised.test(name) || mixedCase.test(name) ? confidence.likely : 0;
  if (configuration.test(name)) return confidence.strong;
  if (doubled.test(name)) return confidence.strong;
  return program.test(name) ? confidence.strong : 0;
}

/** A mark behind the extension that the check does not see and the file system drops. */
const hiddenExtension =
  /\.(?:php[3-8]?|phtml?|phar|aspx?|ashx|asa|cer|jspx?|cfm|cgi)(?:\u0000|%00|;|::\$|\.$|\s$|%20$|\/\.?$|\.\.)/i;
/**
 * Names that are given to get past a list of extensions, or to web shells; who edits programs has
 * others.
 */
const disguised =
  /\.(?:phtml|pht|phar|php[3457]|jspx|asa|cer|ashx)$|^(?:(?:web|php|reverse)?[-_]?shell|cmd|backdoor|c99|r57|wso|b374k)\.(?:php|jsp|aspx?|cgi|cfm)$/;
/** `.pHp` */
const mixedCase = /\.(?:p[hH]P|pHp|P(?:hp|hP|Hp))\d?$/;
const doubled =
  /\.(?:php[3-8]?|phtml?|phar|aspx?|ashx|jspx?|cgi)\.[a-z0-9]{2,5}$|\.(?:jpe?g|png|gif|pdf|txt|docx?|zip)\.(?:php[3-8]?|phtml?|phar|aspx?|ashx|jspx?|cgi|pl)$/i;
const program =
  /\.(?:php[3-8s]?|pht|phtml?|phar|pgif|inc|jsp[xfw]?|jsw|jsv|aspx?|ashx|asmx|asa|cer|svc|soap|cshtml|vbhtml|war|cfml?|cfc|cgi|shtml?|pl)$/i;
const configuration = /^(?:\.htaccess|\.user\.ini|web\.config|php\.ini)$/i;
