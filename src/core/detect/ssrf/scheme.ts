import type { Url } from '../../tokenise/url.ts';
import type { ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { strongestUrl } from './place.ts';

/** `gopher:`, `dict:`, `file:` …: schemes with which a fetcher talks to what is no web server. */
export const scheme: ValueRule = {
  id: 'ssrf.scheme',
  category: 'ssrf',
  cwe: 'CWE-918',
  severity: 'critical',
  score: 90,
  message: 'makes the server speak another protocol than the web’s, or read its own files',
  trigger: {
    literals: [
      [
        'gopher:',
        'dict:',
        'file:',
        'netdoc:',
        'jar:',
        'tftp:',
        'ldap:',
        'ldaps:',
        'ldapi:',
        'sftp:',
        'unix:',
        'smb:',
        'local_file:',
        'rmi:',
        'imap:',
        'imaps:',
        'smtp:',
        'pop3:',
        'telnet:',
        'rtsp:',
        'rtmp:',
        'mongodb:',
        'redis:',
        'svn:',
        'php-fpm:',
        'fastcgi:',
        'cifs:',
        'nfs:',
        'afp:',
        'view-source:',
      ],
    ],
  },
  judge: (subject) => strongestUrl(subject, (url, isValue) => scoreOf(subject, url, isValue)),
  examples: [
    'gopher://127.0.0.1:6379/_INFO%0d%0a',
    'dict://localhost:11211/stats',
    'file:///opt/app/settings.yml',
    'tftp://203.0.113.7:69/x',
    'netdoc:///etc/hosts',
    'jar:http://203.0.113.7/a.zip!/x',
    '/load?u=ldap://127.0.0.1:11211/%0astats',
    'unix:/var/run/docker.sock:/containers/json',
    'sftp://203.0.113.7:11111/',
  ],
  lookalikes: [
    'install from file:/cdrom/debian/ if the CD is mounted',
    'The gopher: scheme is older than http: you know',
    'sftp://backup.example.com/home/anna',
    'ldap://dc1.example.com:389/dc=example,dc=com',
    'put it in a jar: jam',
    'dict: der, die, das',
    'profile: file: photo.jpg',
  ],
};

const rawProtocols: ReadonlySet<string> = new Set(['gopher', 'dict', 'tftp']);
const localFiles: ReadonlySet<string> = new Set(['file', 'netdoc', 'local_file', 'unix']);

function scoreOf(subject: Subject, url: Url, isValue: boolean): number {
  const name = url.scheme;
  if (rawProtocols.has(name)) return scoreOfRaw(subject, url, isValue);
  if (localFiles.has(name)) return scoreOfFile(subject, url, isValue);
  if (name === 'jar') return isValue && subject.text.includes('!/', url.start) ? 82 : 0;
  const usual = usualPorts.get(name);
  if (usual === undefined || url.slashes < 2) return 0;
  const isInside = url.hostKind !== 'public';
  const isForeignPort = url.port >= 0 && !usual.includes(url.port);
  if (isInside || isForeignPort) return isValue ? 78 : 45;
  return isValue ? 45 : 0;
}

function scoreOfRaw(subject: Subject, url: Url, isValue: boolean): number {
  if (url.slashes < 2 || url.hostEnd === url.hostStart) return 0;
  // What follows goes over the wire as it is.
  const rest = subject.text.slice(url.pathStart, url.pathStart + 80);
  const isCommand =
    url.port >= 0 && (rest.startsWith('/_') || rest.includes('%0') || rest.includes(' '));
  if (isCommand || url.port >= 0 || url.hostKind !== 'public') return isValue ? 92 : 72;
  return isValue ? 75 : 45;
}

function scoreOfFile(subject: Subject, url: Url, isValue: boolean): number {
  const path = subject.text.slice(url.authorityStart, Math.min(url.end, url.authorityStart + 200));
  if (path.length < 3 || !localPath.test(path)) return 0;
  // `file://C:/`, `file:///`, `file://localhost/`
  if (url.slashes < 1) return 0;
  return isValue ? 82 : 40;
}

const localPath = /^[\w.~%$@{}:-]{1,80}(?:[\\/]|$)/;

/** Ports at which a protocol is at home; another one is the port of another service. */
const usualPorts: ReadonlyMap<string, readonly number[]> = new Map([
  ['ldap', [389, 3268]],
  ['ldaps', [636, 3269]],
  ['ldapi', []],
  ['sftp', [22, 2222, 2022]],
  ['smb', [445, 139]],
  ['cifs', [445]],
  ['nfs', [2049]],
  ['rmi', [1099]],
  ['imap', [143]],
  ['imaps', [993]],
  ['smtp', [25, 465, 587]],
  ['pop3', [110, 995]],
  ['telnet', [23]],
  ['rtsp', [554, 8554]],
  ['rtmp', [1935]],
  ['redis', [6379]],
  ['mongodb', [27017]],
  ['fastcgi', []],
]);
