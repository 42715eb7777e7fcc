import { confidence } from '../../placement/confidence.ts';
import { isFileName, isUploadName } from '../../placement/member.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** The name of an uploaded file that a server would run. */
export const scriptUpload: ValueRule = {
  id: 'other.script-upload',
  cwe: 'CWE-434',
  score: confidence.strong,
  message: 'uploads a file under a name that a web server runs as a program',
  trigger: {
    charsMax: 256,
    literals: [
      wordList(
        '.php .pht .phar .jsp .jsw .jsv .asp .ashx .asmx .asa .cer .war .cfm .cgi',
        '.htaccess .htpasswd web.config php.ini .shtm .user.ini .pl .svc .soap .inc .stm',
      ),
    ],
  },
  judge: (subject) => {
    const { text, member, decoded } = subject;
    const isUpload = isUploadName(member, decoded) || isPartName(member);
    if (!(isUpload || isFileName(member))) return undefined;
    const kept = endOfName(text);
    const last = Math.max(text.lastIndexOf('/', kept - 1), text.lastIndexOf('\\', kept - 1));
    const name = text.slice(last + 1, kept);
    const score = isHidden(name, kept < text.length) ? confidence.strong : scoreOf(name, isUpload);
    return score === 0 ? undefined : { start: last + 1, end: text.length, score };
  },
  examples: [
    { body: { 'body.avatar.filename': 'me.php' } },
    { body: { 'body.file.filename': 'photo.php.jpg' } },
    { body: { 'avatar.filename': 'me.php' } },
    { body: { 'body.file.filename': 'photo.jpg.phtml' } },
    {
      body: {
        body: '--b1\r\nContent-Disposition: form-data; name="a"; filename="me.php"\r\n\r\nhi\r\n--b1--',
      },
    },
    { body: { filename: 'x.asp;.jpg' } },
    { body: { filename: 'x.php\u0000.png' } },
    { body: { filename: 'x.php/.' } },
    { body: { filename: 'x.jsp/' } },
    { body: { 'body.file.filename': 'x.php:.jpg' } },
    { body: { 'body.file.filename': 'x.aspx:a.jpg' } },
    { body: { filename: 'x.php::$INDEX_ALLOCATION' } },
    { body: { 'body.file.filename': 'x.php\r\n.jpg' } },
    { body: { 'body.file.filename': 'a:b.php' } },
    { body: { 'body.file.filename': '.htaccess.' } },
    { body: { 'body.file.filename': 'web.config::$DATA' } },
    { body: { 'body.file.filename': 'me.php.png.' } },
    { body: { 'body.file.filename': 'x.stm' } },
    { body: { 'body.file.filename': 'php.ini' } },
    { body: { 'body.file.filename': '.htpasswd' } },
    { body: { filename: 'x.pHp5' } },
    { body: { filename: 'shell.php' } },
    { body: { filename: 'image.phar' } },
    { body: { 'body.file.filename': '.htaccess' } },
  ],
  lookalikes: [
    { body: { 'body.avatar.filename': 'me.jpg' } },
    { body: { 'query.filename': 'index.php' } },
    { body: { 'cookie.filename': 'index.php' } },
    { body: { filename: 'index.php' } },
    { body: { filename: 'INDEX.PHP' } },
    { body: { filename: 'shell.sh' } },
    { body: { 'body.file.filename': 'php.manual.pdf' } },
    { body: { 'body.file.filename': 'faktura.pl.pdf' } },
    { body: { filename: 'report.v2.final.pdf' } },
    { body: { comment: 'x.php.jpg' } },
    { body: { filename: 'index.php:12' } },
    { body: { filename: '/srv/app/index.php:12:5' } },
    { body: { filename: 'docs.php.d/' } },
    { body: { 'body.file.filename': 'january.stmt' } },
  ],
};

/** The name of a part beside its other data, in a request that is named otherwise than by our clients. */
function isPartName(member: string): boolean {
  return member.endsWith('.filename') && !sentApart.test(member);
}

const sentApart = /^(?:query|cookie|header|path)\./;

/**
 * Where a name ends to the store: slashes behind it, and the dots and blanks that Windows drops, are
 * no part of it; `a.php/.` has no extension to a check.
 */
function endOfName(text: string): number {
  let end = text.length;
  while (end > 0 && isDropped(text.charCodeAt(end - 1))) end--;
  return end === 0 ? text.length : end;
}

/** `/`, `\\`, `.`, a blank */
function isDropped(code: number): boolean {
  return code === 47 || code === 92 || code === 46 || code <= 32;
}

/** A program, once what the store drops is gone. `isCut`: something stood behind the name. */
function isHidden(name: string, isCut: boolean): boolean {
  const behind = runExtension.exec(name)?.[1];
  if (behind !== undefined && behind !== '') return true;
  return isCut && (behind === '' || name.toLowerCase() === '.htaccess');
}

/** `isUpload`: the member is the name of an uploaded part, not just a member called so. */
function scoreOf(name: string, isUpload: boolean): number {
  if (!isUpload) return disguised.test(name) || mixedCase.test(name) ? confidence.likely : 0;
  // The name as a file system without streams keeps it, and as NTFS does.
  return isRun(name) || isRun(name.replace(stream, '')) ? confidence.strong : 0;
}

function isRun(name: string): boolean {
  return configuration.test(name) || doubled.test(name) || program.test(name);
}

/** What NTFS keeps as a stream of the file in front; a trace names a line so, `a.php:12`. */
const stream = /:(?!\d).{0,80}$/s;
/** What follows the extension, unseen by the check and dropped by the file system; empty for the end. */
const runExtension =
  /\.(?:php[3-8]?|phtml?|phar|aspx?|ashx|asa|cer|jspx?|cfm|cgi)([\u0000-\u001f;]|%00|%0[ad]|::\$|%20$|\.\.|$)/i;
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
  /\.(?:php[3-8s]?|pht|phtml?|phar|pgif|inc|jsp[xfw]?|jsw|jsv|aspx?|ashx|asmx|asa|cer|svc|soap|cshtml|vbhtml|war|cfml?|cfc|cgi|shtml?|stm|pl)$/i;
const configuration = /^(?:\.ht(?:access|passwd)|\.user\.ini|web\.config|php\.ini)$/i;
