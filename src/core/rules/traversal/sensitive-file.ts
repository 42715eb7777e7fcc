import { type PathWord, plainPath } from '../../grammars/path/path.ts';
import { sensitiveLiterals, sensitivity, sensitivityOf } from '../../knowledge/sensitive-path.ts';
import { confidence } from '../../placement/confidence.ts';
import { isLineInHead } from '../../placement/field-role.ts';
import { isReferrerMember } from '../../placement/member.ts';
import {
  isMention,
  isRequestPath,
  type PathPlace,
  strongestPath,
} from '../../placement/path-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** `/etc/passwd` where a value was expected. */
export const sensitiveFile: ValueRule = {
  id: 'traversal.sensitive-file',
  score: confidence.strong,
  message: 'names a file of the system that no client has a reason to name',
  trigger: { literals: [sensitiveLiterals] },
  judge: (subject) => {
    const inRequestPath = isRequestPath(subject);
    const isReferrer = isReferrerMember(subject.member);
    return strongestPath(subject, (word, place) => {
      const score = scoreOf(subject, word, place, inRequestPath);
      return isReferrer && score > confidence.hint && isSearched(subject, word)
        ? confidence.hint
        : score;
    });
  },
  examples: [
    ...['/etc/passwd', '/etc/./shadow', '/etc/x/../group', '/srv/../etc/hosts', '/WEB-INF/web.xml'],
    ...['C:\\Windows\\win.ini', '/report.php?file=/proc/self/environ', 'file=/root/.ssh/id_rsa'],
    ...['c:/boot.ini', '/var/log/apache2/access.log', '/.env', '/root/.netrc', '%bg%qfpasswd'],
    ...['Users\\Public\\NTUSER.DAT', '/opt/tomcat/conf/tomcat-users.xml', '/app/config/master.key'],
    ...['/opt/tomcat/conf/server.xml', '/app/WEB-INF/web.xml', '\u00c0\u00afetc\u00c0\u00afpasswd'],
    ...['C:\u00c1\u009cetc\u00c1\u009cpasswd', '%u00c0%u00afetc%u00c0%u00afpasswd'],
    ...['\u00c0\u00afroot\u00c0\u00af.netrc', '%bg%qf.htpasswd', '/etc/passwd#and so on'],
    ...['/home/ann/.ssh/id_rsa.pub', 'show --file=/home/ann/.ssh/id_rsa', '/etc/shadow?a b c'],
    ...['C:\\Users\\Administrator\\NTUSER.DAT', 'https://www.example.com/search?q=%2Fetc%2Fpasswd'],
    ...[{ body: { 'header.referer': '/etc/passwd' } }, { body: { 'query.file': '.git/config' } }],
    { body: { 'query.path': '~/.aws/credentials' } },
    { body: { 'header.referer': 'https://www.example.com/get?file=%2Fetc%2Fpasswd' } },
    { body: { 'header.referer': 'https://www.example.com/?q=..%2F..%2F..%2Fetc%2Fpasswd' } },
  ],
  lookalikes: [
    ...['the user list is in /etc/passwd on every UNIX machine', '/etc/passwd? I never touched it'],
    ...['Edit <code>/etc/hosts</code> and restart.', 'C:\\Users\\Anna\\Documents\\notes.txt'],
    ...['/home/anna/projects/etc/readme', 'DATA_DIR=/var/lib/postgresql/data', '/user/passwd'],
    ...['[mysqld]\nport=3306\ndatadir=/var/lib/mysql # on the second disk', 'C:\\Windows is full'],
    ...['it reads /.env at the start', 'mysqld --datadir=/var/lib/mysql --port=3306', 'passwd'],
    ...['/usr/share/doc/etc/hosts.html', 'À bientôt: passwd, .htpasswd and .netrc', '/master.key'],
    ...['Put it into .netrc or tomcat-users.xml, and never into package.json.', '/app/server.xml'],
    ...['/app/package.json', '/workspace/docker-compose.yml', '/data/php/lib', '/docs/web.xml'],
    'gcloud compute os-login ssh-keys add --key-file=/home/ann/.ssh/id_rsa.pub',
    'The file Users\\Public\\NTUSER.DAT is the hive of a user.',
    'https://example.org/blog/what-is-etc/passwd-explained',
    ...[{ body: { backupDir: '/var/backups/shop' } }, { body: { shell: '/usr/bin/bash' } }],
    { body: { 'header.referer': 'https://www.example.com/search?q=%2Fetc%2Fpasswd' } },
    {
      body: { 'header.referer': 'https://www.example.com/?ia=web&q=cat+%2Fetc%2Fpasswd+explained' },
    },
    ...[{ body: { credentials: '~/.aws/credentials' } }, { body: { 'body.path': '.git/config' } }],
    { body: { 'query.dr': 'https://www.example.com/search?q=how+to+read+%2Fetc%2Fshadow' } },
    { body: { mounts: [{ source: '/etc/nginx/conf.d' }, { source: 'C:\\inetpub\\wwwroot' }] } },
    { body: { env: [{ name: 'PGDATA', value: '/var/lib/postgresql/data/pgdata' }] } },
  ],
};

function scoreOf(
  subject: Subject,
  word: PathWord,
  place: PathPlace,
  inRequestPath: boolean,
): number {
  if (word.url && !inRequestPath) return 0;
  // A long text mentions many files.
  if (place === 'prose' && subject.text.length > proseCharsMax) return 0;
  const plain = plainPath(subject.text, word, word.start).replace(adminShare, '/');
  const level = sensitivityOf(plain);
  if (level < sensitivity.system) return 0;
  const isClassic = level === sensitivity.classic;
  if (isMention(place)) return isClassic ? scoreOfMention(subject, word, plain) : 0;
  if (!isClassic) return scoreOfSystem(subject, word, place, plain);
  const score = scoreOfClassic(subject, word, place, plain);
  return inRequestPath && !route.test(plain) ? confidence.certain : score;
}

function scoreOfClassic(subject: Subject, word: PathWord, place: PathPlace, plain: string): number {
  if (route.test(plain) && word.climbs === 0 && !word.disguised) return confidence.hint;
  const isOption = place === 'parameter' && (subject.classes & spaced) !== 0;
  if (isOption && word.climbs === 0 && publicKey.test(plain)) return confidence.hint;
  if (word.absolute || word.disguised || unmistakable.test(plain)) return confidence.certain;
  const isOwn = place === 'whole' && isLineInHead(subject.member) && hidden.test(plain);
  return isOwn ? confidence.likely : confidence.hint;
}

/** `.git/config`, `~/.aws/credentials`: settings have their names, and a parameter asks for what is in them. */
const hidden = /^\/?(?:~\/)?\.(?:git|svn|hg|aws|kube|docker|ssh)\/\w/;

/** `ssh-keys add --key-file=/home/ann/.ssh/id_rsa.pub`: the half of a key that everyone may have. */
const publicKey = /^\/(?:home|users)\/[\w.-]{1,40}\/\.ssh\/[\w-]{1,40}\.pub$/;

/** The path of a classic target in other text. */
function scoreOfMention(subject: Subject, { start }: PathWord, plain: string): number {
  const before = subject.text.slice(Math.max(0, start - 5), start);
  if (before.toLowerCase() === 'file:') return confidence.likely;
  // A quotation mark within a single word is a way to break up the path.
  const isWord = (subject.classes & (spaced | charClass.less)) === 0;
  return isWord && unmistakable.test(plain) ? confidence.likely : confidence.trace;
}

/** A file of the system, which fewer attacks ask for. */
function scoreOfSystem(subject: Subject, word: PathWord, place: PathPlace, plain: string): number {
  if (dataDirectory.test(plain)) return confidence.hint;
  if (place === 'whole' && settingsAtRoot.test(plain)) return confidence.likely;
  // One setting of several: `datadir=/var/lib/mysql # a comment`.
  const isSetting = place === 'parameter' && (subject.classes & spaced) !== 0;
  if (!word.absolute || !rooted.test(plain) || program.test(plain)) return 0;
  return isSetting ? confidence.trace : confidence.likely;
}

/** `https://…/search?q=%2Fetc%2Fpasswd`: what a search was for that led to the page. */
function isSearched({ text, decoded }: Subject, word: PathWord): boolean {
  if (word.climbs > 0) return false;
  const part = decoded.findLast((step) => step.startsWith('form:'));
  if (part !== undefined) return searchPart.test(part);
  const before = text.slice(Math.max(0, word.start - queryCharsMax), word.start);
  return absolute.test(text.slice(0, 12)) && searchParameter.test(before);
}

const queryCharsMax = 300;
const absolute = /^https?:\/\/\w/i;
const searchPart = /^form:(?:[^=]{0,300}\?)?(?:q|query|search|text|wd|p|s|term|keywords?)$/i;
const searchParameter = /[?&](?:q|query|search|text|wd|p|s|term|keywords?)=[^&#/\\]{0,200}$/i;

const spaced = charClass.space | charClass.lineBreak;
const proseCharsMax = 10_000;

/** `\\\\host\\c$\\`: the root of a drive over the network. */
const adminShare = /^\/[^/]{1,80}\/[a-z]\$\//;

/** `/user/passwd`: where an application lets one change a password. */
const route =
  /^(?:\/(?:api|v\d|auth|users?|accounts?|admin|members?|settings|profile|path|my|me)){1,4}\/passwd$/;

/** Where services keep what they keep, without a file: a setting. */
const dataDirectory =
  /^(?:\/var\/(?:log|spool|cache|mail|(?:backups|lib)(?:\/[\w-]{1,40}){0,2}(?:\/pgdata)?)|\/etc\/(?:nginx|apache2|letsencrypt|ssl|systemd|docker)(?:\/(?:[a-z]{1,12}\.d|certs|live|system))?|(?:[a-z]:)?\/inetpub\/wwwroot)\/?$/;

/** What a deployment leaves beside the program. */
const settingsAtRoot = /^\/\.env$/;

/** Below any directory. */
const unmistakable =
  /(?:etc\/(?:passwd|shadow)|(?:boot|win)\.ini|ntuser\.dat|proc\/self\/|web-inf\/|\.ht(?:access|passwd)|\.ssh\/|(?:wp-config\.php|\/web\.config)$)/;

/** `/usr/bin/bash`: what a setting names, and no file to read. */
const program = /\/bin\/\w{1,8}$/;

/** Directories that are at the root of a machine only. */
const rooted =
  /^\/(?:etc|var|proc|usr|opt|root|windows|winnt|xampp|wamp|inetpub|apache|logs|private|home|program files|programdata|app|srv|data|mnt|site|sites|www|webapps|webroot|code|workspace|htdocs)\//;
