import { hasNumericHost, type Url } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { isIncludeMember, strongestInclude } from '../../placement/include-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordList, wordSet } from '../../text/words.ts';
import { inMember, type ValueRule } from '../rule.ts';

/** Programs that include files fetch by these. */
const fileSchemes: readonly string[] = ['ftp', 'ftps', 'smb', 'tftp'];
const schemes: readonly string[] = ['http', 'https', ...fileSchemes];

/**
 * `http://203.0.113.9/a.sh`: a program on a machine without a name, ready to be fetched and run.
 */
export const remoteProgram: ValueRule = {
  id: 'rfi.remote-program',
  cwe: 'CWE-829',
  severity: 'high',
  score: confidence.likely,
  message: 'names a program or class on a foreign machine, for the server to load and run',
  trigger: {
    literals: [
      schemes.map((scheme) => `${scheme}:`),
      wordList(
        '.php .phtml .phar .inc .asp .jsp .sh .ps1 .psm1 .hta .vbs .bat .scr .class .jar',
        '.war .elf .sct .xsl .xml .py .pl .rb .so .dll .exe .cfm .yml .yaml .properties',
        '.groovy pastebin.com/raw/ hastebin.com/raw/ paste.ee/r/ /ix.io/ /0x0.st/',
        'transfer.sh/ termbin.com/ dpaste.com/',
      ),
    ],
  },
  judge: (subject) =>
    strongestInclude(subject, (url, isValue) => {
      if (!isValue || url.slashes < 2 || !schemes.includes(url.scheme)) return 0;
      if (ownAddress.test(subject.member)) return 0;
      return scoreOf(subject, url);
    }),
  examples: [
    ...['http://203.0.113.9/a.php', 'http://203.0.113.9:8080/loader.sh'],
    ...['http://203.0.113.9/menu/start.phtml', 'http://203.0.113.9:8000/Exploit.class'],
    ...['ftp://guest:x@203.0.113.9/pub/s.php', 'smb://files.example.net/share/menu.inc'],
    'http:\\\\files.example.net\\s.php',
    'http://203.0.113.9/beans.xml?class=java.lang.ProcessBuilder',
    ...inMember('template', 'https://203.0.113.9:8000/x.php', 'https://pastebin.com/raw/a1B2c3D4'),
    { body: { 'spring.config.location': 'http://files.example.net/app.yml' } },
    { body: { 'logging.config': 'https://files.example.net/logback.xml' } },
  ],
  lookalikes: [
    ...['http://203.0.113.9/index.php', 'http://203.0.113.9/admin/login.php'],
    ...['http://192.168.0.7/update.sh', 'https://www.example.com/install.sh'],
    ...['http:\\\\www.example.com\\index.php', 'ftp://ftp.example.com/pub/readme.txt'],
    'curl the script at http://203.0.113.9/setup.sh first, then reboot the machine',
    { body: { 'header.referer': 'http://203.0.113.9/stats.php' } },
    { body: { link: 'https://pastebin.com/raw/a1B2c3D4' } },
    { body: { template: 'https://pastebin.com/archive' } },
    { body: { config: 'https://www.example.com/app.yml', 'spring.config.name': 'app' } },
  ],
};

const ownAddress = /^header\.(?:referer|origin|host)$/;
const pathCharsMax = 200;

function scoreOf(subject: Subject, url: Url): number {
  const { text, member } = subject;
  const host = text.slice(url.hostStart, Math.min(url.end, url.hostStart + 40));
  if (pasteBin.test(host)) return isIncludeMember(member) ? confidence.strong : 0;
  const target = text.slice(url.pathStart, Math.min(url.end, url.pathStart + pathCharsMax));
  const file = fileName.exec(target);
  if (file === null) return 0;
  const isSetting = settingMember.test(member) && url.hostKind === 'public';
  if (isSetting || javaClass.test(target)) return confidence.strong;
  const extension = (file[2] ?? '').toLowerCase();
  if (pages.has(extension)) return pageScore(subject, url, file);
  if (!programs.has(extension) || fileSchemes.includes(url.scheme)) return 0;
  return isPublicAddress(text, url) ? confidence.likely : 0;
}

/** A site without a name of its own has pages as well; they have names that say what they are. */
function pageScore({ text, member }: Subject, url: Url, file: RegExpExecArray): number {
  const name = (file[1] ?? '').toLowerCase();
  if (fileSchemes.includes(url.scheme)) return confidence.strong;
  if (!isPublicAddress(text, url)) {
    const isOddly = text.charCodeAt(url.authorityStart - 1) === 92;
    return isOddly && !ordinary.has(name) ? confidence.likely : 0;
  }
  if (isIncludeMember(member)) return confidence.strong;
  const isTerse =
    url.scheme === 'http' && !file.input.includes('?') && name.length <= terseCharsMax;
  const isOdd = oddPages.has((file[2] ?? '').toLowerCase());
  return isOdd || isTerse ? confidence.likely : confidence.trace;
}

function isPublicAddress(text: string, url: Url): boolean {
  return url.hostKind === 'public' && hasNumericHost(text, url);
}

/** No page has so short a name. */
const terseCharsMax = 3;
const fileName = /^[\\/](?:[^?#\\/]{0,60}[\\/]){0,6}([^?#\\/]{0,60})\.([a-z0-9]{2,6})(?:$|[?#])/i;
/** Places where anybody leaves a text without a name. */
const pasteBin =
  /^(?:(?:pastebin|hastebin)\.com\/raw\/\w|paste\.ee\/r\/\w|(?:ix\.io|0x0\.st|transfer\.sh|termbin\.com|dpaste\.com)\/\w)/i;
/** Settings of Spring with which a start reads beans, scripts or loggers from elsewhere. */
const settingMember =
  /(?:^|\.)(?:spring\.config\.(?:location|import|additional-location)|logging\.config|spring\.main\.sources)$/i;
const javaClass = /[?&]class=java\.(?:lang|net|io)\./;
/** What a server runs and no site of today has in its addresses. */
const oddPages: ReadonlySet<string> = new Set(['phtml', 'inc', 'php5', 'phar']);
const pages: ReadonlySet<string> = new Set(['php', 'asp', 'jsp', 'cfm', ...oddPages]);
const programs: ReadonlySet<string> = wordSet(
  'sh ps1 psm1 hta vbs bat scr class jar war elf sct py pl rb so dll exe xsl',
);
const ordinary: ReadonlySet<string> = new Set(['index', 'default', 'home', 'main', 'start']);
