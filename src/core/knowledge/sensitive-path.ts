import { characterSet } from '../text/runs.ts';

/**
 * How much a path tells about the one who asks for it.
 *
 * - `none`: nothing.
 * - `program`: a script or configuration file of some application; honest on its own.
 * - `system`: configuration, logs and secrets of a machine or a web application.
 * - `classic`: files that are asked for to prove that reading works; below any directory.
 */
export type Sensitivity = 0 | 1 | 2 | 3;

export const sensitivity = {
  none: 0,
  program: 1,
  system: 2,
  classic: 3,
} as const;

/** Judges a plain path (`grammars/path/path.ts`), absolute or the part behind the last `..`. */
export function sensitivityOf(plain: string): Sensitivity {
  if (!plain.includes('/')) return levelOfFile(bareName(plain));
  const names = plain
    .split('/', namesMax)
    .map(bareName)
    .filter((name) => name !== '');
  const last = names.at(-1) ?? '';
  let level: Sensitivity = levelOfFile(last);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    const next = names[i + 1];
    const found = next === undefined ? sensitivity.none : levelOfStep(name, next, names[i - 1]);
    if (found > level) level = found;
  }
  return level;
}

const namesMax = 24;

/** Without dots glued to its front, and without wildcards, streams and dots behind it. */
function bareName(name: string): string {
  let start = 0;
  while (name.startsWith('..', start)) start += 2;
  let end = name.length;
  const stream = name.indexOf('::');
  if (stream > 0) end = stream;
  while (end > start && trailing[name.charCodeAt(end - 1)] === 1) end--;
  return name.slice(start, end);
}

const trailing: Uint8Array = characterSet('.*;!]~ ');

/** `parent` is the name in front of the two. */
function levelOfStep(name: string, next: string, parent: string | undefined): Sensitivity {
  if (name === 'etc') {
    const isRoot = parent === undefined || parent === 'local' || parent === 'private';
    return levelBelowEtc(next, isRoot);
  }
  if (name === 'proc') return isProcEntry(next) ? sensitivity.classic : sensitivity.none;
  if (windowsRoots.has(name)) {
    return windowsEntries.has(next) ? sensitivity.classic : sensitivity.program;
  }
  const step = `${name}/${next}`;
  if (secretFolders.has(name) || step === railsKey) return sensitivity.classic;
  return systemSteps.has(step) ? sensitivity.system : sensitivity.none;
}

function levelBelowEtc(next: string, isRoot: boolean): Sensitivity {
  if (etcClassics.has(next) || next.startsWith('pass')) return sensitivity.classic;
  if (!isRoot) return sensitivity.none;
  const isConfig = next.includes('.') || next.endsWith('-release') || etcFolders.has(next);
  return isConfig ? sensitivity.system : sensitivity.none;
}

function isProcEntry(name: string): boolean {
  return procEntries.has(name) || (name.length <= 7 && Number.isInteger(Number(name)));
}

function levelOfFile(name: string): Sensitivity {
  if (name === '') return sensitivity.none;
  if (classicFiles.has(name) || name === 'web-inf') return sensitivity.classic;
  if (systemFiles.has(name)) return sensitivity.system;
  const dot = name.lastIndexOf('.');
  if (dot < 0) return placeholders.has(name) ? sensitivity.system : sensitivity.none;
  const isProgram = manifests.has(name) || programExtensions.has(name.slice(dot + 1));
  return isProgram ? sensitivity.program : sensitivity.none;
}

const space = /\s+/;

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(space));
}

const etcClassics = words(`
  passwd passwd- shadow shadow- group gshadow master.passwd hosts issue issue.net motd sudoers
  security environment crontab fstab mtab hostname resolv.conf
`);

const etcFolders = words(`
  apache apache2 httpd nginx lighttpd mysql mariadb postgresql php php5 php7 ssl ssh pki pam.d
  init.d cron.d redis mongodb tomcat vsftpd proftpd samba openvpn kubernetes docker opt default
  profile security ppp exports inittab modules networks protocols services network sysconfig
`);

const procEntries = words(`
  self version cmdline mounts net environ cpuinfo meminfo stat sched_debug modules filesystems
  partitions config.gz kcore kallsyms swaps uptime loadavg sys thread-self
`);

const windowsRoots = words('windows winnt win windows.old');

const windowsEntries = words(`
  win.ini system.ini system32 syswow64 repair debug panther php.ini my.ini iis6.log explorer.exe
  notepad.exe sysprep windowsupdate.log setupact.log setuperr.log temp tasks
`);

const secretFolders = words('.ssh .aws .git .svn .hg .kube .docker .gnupg .azure web-inf meta-inf');

const systemSteps = words(`
  var/log var/mail var/spool var/backups var/lib log/apache log/apache2 log/httpd log/nginx
  run/secrets local/etc apache/conf apache/logs apache2/conf apache2/logs httpd/conf httpd/logs
  nginx/conf mysql/data mysql/bin tomcat/conf conf/tomcat-users.xml xampp/apache xampp/php
  xampp/mysql inetpub/logs inetpub/wwwroot root/.bashrc bin/sh bin/bash bin/cat bin/id
  www/logs lampp/etc lampp/logs php/php.ini library/webserver private/etc
  system32/config drivers/etc dev/random dev/urandom dev/zero dev/tcp dev/stdin system/autoexec.ncf
`);

/** Asked for only to read what must not be read. */
const classicFiles = words(`
  passwd .passwd shadow boot.ini win.ini system.ini autoexec.bat autoexec.ncf .htpasswd id_rsa
  id_dsa id_ecdsa id_ed25519 authorized_keys .bash_history .zsh_history .mysql_history .psql_history
  .pgpass .netrc .my.cnf .git-credentials ntuser.dat wp-config.php tomcat-users.xml
  applicationhost.config web.config global.asa global.asax unattend.xml unattended.xml sysprep.inf
  credentials.xml .viminfo
`);

const systemFiles = words(`
  .env .htaccess .bashrc .profile .bash_profile .ssh .git .svn .aws hosts sam
  httpd.conf apache2.conf nginx.conf php.ini my.cnf my.ini pg_hba.conf redis.conf sshd_config
  vsftpd.conf proftpd.conf smb.conf known_hosts access.log access_log error.log error_log
  auth.log secure messages syslog maillog mail.log lastlog wtmp faillog config.php
  configuration.php config.inc.php database.php db.php settings.php settings.py local.php
  application.properties application.yml application.yaml database.yml secrets.yml
  parameters.yml appsettings.json context.xml hibernate.cfg.xml persistence.xml jdbc.properties
  db.properties cmd.exe powershell.exe ipconfig.exe security.txt.bak user.myd docker.sock {file}
`);

/** What a project is built of, without a secret. */
const manifests = words('package.json composer.json');

/** A file of that name elsewhere may be any key. */
const railsKey = 'config/master.key';

/** What lists of test cases put where the file goes. */
const placeholders = words('{file} {file_name} {filename}');

/** Common in prose or in programs: `shadow`, `hosts`, `.env`; unlike `.netrc`. */
const commonWord = /^(?:[a-z]{1,12}|\.[a-z]{3}|\.profile)$/;

/**
 * What a path is written with that counts as `system` or more: of these at least one, in either
 * kind of separator. Names of directories have one behind them, short names one in front.
 */
export const sensitiveLiterals: readonly string[] = [
  ...new Set([
    ...folderLiterals(),
    ...['2f', '5c', '%c', '%e', '%b', '%u', '%%', '0x'].map((separator) => `etc${separator}`),
    ...[...classicFiles, ...systemFiles, ...placeholders, 'web-inf'].flatMap(fileLiterals),
    'master.key',
    'passwd',
  ]),
];

function folderLiterals(): readonly string[] {
  const parents = [...systemSteps].map((step) => step.slice(0, step.indexOf('/')));
  const folders = ['etc', 'proc', ...windowsRoots, ...secretFolders, ...parents];
  return folders.flatMap((folder) => [`${folder}/`, `${folder}\\`]);
}

function fileLiterals(name: string): readonly string[] {
  return commonWord.test(name) ? ['/', '\\', '2f', '5c'].map((sign) => sign + name) : [name];
}

const programExtensions = words(`
  php php3 php4 php5 phtml inc asp aspx ashx asmx jsp jspx do cgi pl cfm ini conf config cnf cfg
  properties log yml yaml env bak old sql sqlite mdb key pem pfx jks htaccess htpasswd asa nsf
  exe dll bat cmd sh xml tmpl lock
`);
