import type { Url } from '../../grammars/url/url.ts';
import { isControlPath } from '../../knowledge/service-path.ts';
import { confidence } from '../../placement/confidence.ts';
import { pictureMember, strongestUrl } from '../../placement/fetch-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList, wordMap } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `gopher:`, `dict:`, `file:` …: schemes with which a fetcher talks to what is no web server. */
export const scheme: ValueRule = {
  id: 'ssrf.scheme',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes the server speak another protocol than the web’s, or read its own files',
  trigger: {
    literals: [
      wordList(
        'gopher: dict: file: netdoc: jar: tftp: ldap: ldaps: ldapi: sftp: unix: smb:',
        'local_file: rmi: iiop: iiopname: corbaname: nis: imap: imaps: smtp: pop3:',
        'telnet: rtsp: rtmp: mongodb: redis: svn: php-fpm: fastcgi: cifs: nfs: afp:',
        'view-source: mysql: postgres: postgresql: amqp: memcached: git: ssh: scp:',
      ),
    ],
  },
  judge: (subject) => strongestUrl(subject, (url, isValue) => scoreOf(subject, url, isValue)),
  examples: [
    ...['gopher://127.0.0.1:6379/_INFO%0d%0a', 'file:///opt/app/settings.yml#a.svg'],
    ...['file://files.example.net/a.svg', 'dict://localhost:11211/stats', 'netdoc:///etc/hosts'],
    ...['file:///opt/app/settings.yml', 'tftp://203.0.113.7:69/x', 'sftp://203.0.113.7:11111/'],
    ...['jar:http://203.0.113.7/a.zip!/x', 'jar:file:///srv/app.jar!/config/application.yml'],
    ...['/load?u=ldap://127.0.0.1:11211/%0astats', 'unix:/var/run/docker.sock:/containers/json'],
    ...['unix:ab|http://files.example.net/', 'file:${br}/op${u}t/app/set${te}tings'],
    ...['rmi://203.0.113.7:1099/x', 'ldap://files.example.net/Exploit'],
    ...['iiopname://files.example.net:1050/x', 'pop3://172.20.70.226/latest/meta-data/iam/'],
    { body: { src: 'file:///srv/app/uploads/42/passport.jpg' } },
    { body: { avatar: 'redis://127.0.0.1:6379/0' } },
    { body: { image_url: 'mysql://root@127.0.0.1:3306/' } },
    { body: { feed: 'git://localhost:9418/x' } },
    { body: { pages: [{ avatar: 'file:///srv/app/uploads/42/passport.jpg' }] } },
  ],
  lookalikes: [
    ...['install from file:/cdrom/debian/ if the CD is mounted', 'put it in a jar: jam'],
    ...['The gopher: scheme is older than http: you know', 'sftp://backup.example.com/home/anna'],
    ...['ldap://dc1.example.com:389/dc=example,dc=com', 'unix: either this | that'],
    ...['file:${project.basedir}', 'dict: der, die, das', 'profile: file: photo.jpg'],
    ...['redis://localhost:6379/0', 'mysql://root@127.0.0.1:3306/shop', 'ldap://dc1.example.com/'],
    'service:jmx:rmi:///jndi/rmi://app.example.com:1099/jmxrmi',
    ...['ldaps://ldap.example.com/ou=people,dc=example,dc=com', 'rtsp://192.168.1.20:554/stream1'],
    'jar:file:/opt/app/lib/app.jar!/BOOT-INF/classes!/',
    ...['file:///home/anna/report.pdf is empty', 'spring.datasource.url=jdbc:h2:file:/data/app'],
    'loaded config=file:///opt/app/settings.yml in 3 ms',
    'file:///usr/share/doc/make/index.html',
    { body: { avatar: 'git://git.example.com/shop.git' } },
    { body: { database_url: 'postgres://app@localhost:5432/shop' } },
    { body: { 'body.entries[7].name': 'file:///vscode/resources/letters-dark.svg' } },
    { body: { params: { textDocument: { uri: 'file:///workspace/src/main.ts' } } } },
    { body: { resources: [{ n: 'file:///vscode/resources/letters-dark.svg', d: 12 }] } },
  ],
};

type Scorer = (subject: Subject, url: Url, isValue: boolean) => number;

function scoreOf(subject: Subject, url: Url, isValue: boolean): number {
  return (scorers.get(url.scheme) ?? scoreOfService)(subject, url, isValue);
}

/** By scheme; a service of a network has its usual ports instead. */
const scorers: ReadonlyMap<string, Scorer> = wordMap<Scorer>(
  [scoreOfRaw, 'gopher dict tftp'],
  [scoreOfFile, 'file netdoc local_file unix'],
  [scoreOfArchive, 'jar'],
  [scoreOfSetting, 'mysql postgres postgresql amqp memcached git svn ssh scp'],
);

function scoreOfService(subject: Subject, url: Url, isValue: boolean): number {
  const usual = usualPorts.get(url.scheme);
  if (usual === undefined || url.slashes < 2) return 0;
  const isForeignPort = url.port >= 0 && !usual.includes(url.port);
  // Cameras, disks and directories of an intranet are at home there.
  if (url.hostKind === 'private' && !isForeignPort)
    return isValue ? scoreOfIntranet(subject, url) : confidence.trace;
  // What applications have in their settings as the address of their database.
  if (databases.has(url.scheme) && url.hostKind === 'loopback' && !isForeignPort)
    return pictureMember.test(subject.member) ? confidence.strong : confidence.hint;
  if (isValue && isObjectName(subject, url)) return confidence.likely;
  if (url.hostKind !== 'public' || isForeignPort)
    return isValue ? confidence.strong : confidence.trace;
  return isValue ? confidence.trace : 0;
}

const databases: ReadonlySet<string> = new Set(['mongodb', 'redis']);

/** A connection, as applications have it in their settings, where the server loads a picture from. */
function scoreOfSetting(subject: Subject, url: Url, isValue: boolean): number {
  const isOwn = url.hostKind === 'loopback' || url.hostKind === 'odd-loopback';
  if (!isValue || !isOwn || url.slashes < 2) return 0;
  return pictureMember.test(subject.member) ? confidence.strong : 0;
}

/** What a naming service of Java answers with an object; names in a directory are longer. */
function isObjectName(subject: Subject, url: Url): boolean {
  if (url.place !== 'whole' || url.start !== 0) return false;
  if (namingSchemes.has(url.scheme)) return url.hostEnd > url.hostStart;
  const isDirectory = url.scheme === 'ldap' || url.scheme === 'ldaps';
  return isDirectory && objectName.test(subject.text.slice(url.pathStart, url.pathStart + 48));
}

const namingSchemes: ReadonlySet<string> = new Set(['rmi', 'iiop', 'iiopname', 'corbaname', 'nis']);
const objectName = /^\/\w{1,40}$/;

/** Protocols over which the path goes as it is. */
function scoreOfRaw(_subject: Subject, url: Url, isValue: boolean): number {
  if (url.slashes < 2 || url.hostEnd === url.hostStart) return 0;
  if (url.port >= 0 || url.hostKind !== 'public')
    return isValue ? confidence.certain : confidence.likely;
  return isValue ? confidence.likely : confidence.trace;
}

function scoreOfFile(subject: Subject, url: Url, isValue: boolean): number {
  const text = subject.text.slice(url.start, url.start + socketCharsMax);
  if (isValue && (proxied.test(text) || expanded.test(text))) return confidence.strong;
  const path = subject.text.slice(url.authorityStart, Math.min(url.end, url.authorityStart + 200));
  if (path.length < 3 || !localPath.test(path)) return 0;
  if (isPagePart(subject, url)) return confidence.hint;
  // `file://C:/`, `file:///`, `file://localhost/`
  if (url.slashes < 1) return 0;
  if (!isValue) return confidence.trace;
  // Language servers and editors name documents in members of their messages.
  if (subject.depth >= 2 && documentMember.test(subject.member)) return confidence.trace;
  // `jdbc:h2:file:/data`, `jar:file:/opt/app.jar`: another scheme names the file.
  if (subject.text.charCodeAt(url.start - 1) === 58) return confidence.trace;
  // In running text, and in a setting of several, the URL is mentioned.
  const isAlone = url.place === 'whole' ? isBlankFrom(subject.text, url.end) : !isSpaced(subject);
  return isAlone ? confidence.strong : confidence.trace;
}

/** What a manual is made of, or a page whose loading is measured (Resource Timing: the name of an entry). */
function isPagePart({ text, depth, member }: Subject, url: Url): boolean {
  const path = text.slice(url.start, url.end);
  if (url.slashes !== 3 || !pagePart.test(path)) return false;
  if (path.startsWith('file:///usr/share/')) return true;
  return entryName.test(member) && (depth >= 2 || member.includes(']'));
}

const entryName = /(?:^|[.\]])n(?:ame)?$/;
const pagePart =
  /^file:\/{3}(?:[\w@+-][\w@.+-]{0,80}\/){1,16}[\w@+-][\w@.+-]{0,80}\.(?:svg|png|jpe?g|gif|webp|ico|css|woff2?|html?)$/i;

/** `unix:x|http://…`: the name of a socket and where a proxy goes instead when it is too long. */
const proxied = /^unix:[^\s|]{1,4000}\|[a-z]{2,8}:\/\//;
/** `file:${x}/et${x}c`: variables that are empty part the names. */
const expanded = /^file:(?:\$[({]\w{0,20}[)}]){1,4}[\w$(){}%./-]{2,80}/i;
const socketCharsMax = 4_096;

function scoreOfIntranet({ text }: Subject, url: Url): number {
  const path = text.slice(url.pathStart, url.end);
  return isControlPath(path) ? confidence.likely : confidence.hint;
}

function isSpaced(subject: Subject): boolean {
  return (subject.classes & (charClass.space | charClass.lineBreak)) !== 0;
}

function isBlankFrom(text: string, from: number): boolean {
  return text.slice(from, from + 32).trim() === '';
}

/** `textDocument.uri` and the like. */
const documentMember = /uri$|^(?:root|base|target|document|source)Ur[il]$/i;

const settingsFile = /\.(?:properties|xml|ya?ml|conf|cfg|ini|env|json|key|pem|jks|mf)$/i;

/** A class loader's own archives are local; one on another host is loaded from there. */
function scoreOfArchive(subject: Subject, url: Url, isValue: boolean): number {
  if (!isValue || !subject.text.includes('!/', url.start)) return 0;
  if (!subject.text.startsWith('file:/', url.start + 4)) return confidence.strong;
  // Its classes are what traces of a stack name, its settings are what a reader wants.
  return settingsFile.test(subject.text.slice(-40)) ? confidence.strong : confidence.trace;
}

const localPath = /^[\w.~%$@{}:-]{1,80}(?:[\\/]|$)/;

/** Ports at which a protocol is at home; another one is the port of another service. */
const usualPorts: ReadonlyMap<string, readonly number[]> = new Map(
  wordList(
    'ldap:389,3268 ldaps:636,3269 ldapi: sftp:22,2222,2022 smb:445,139 cifs:445 nfs:2049 rmi:1099',
    'iiop:900,1050,2809 iiopname:900,1050,2809 corbaname:900,1050,2809 nis: imap:143 imaps:993',
    'smtp:25,465,587 pop3:110,995 telnet:23 rtsp:554,8554 rtmp:1935 redis:6379 mongodb:27017 fastcgi:',
  ).map((row): [string, number[]] => {
    const [scheme = '', ports = ''] = row.split(':');
    return [scheme, ports === '' ? [] : ports.split(',').map(Number)];
  }),
);
