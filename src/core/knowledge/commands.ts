import { createWordTable, type WordTable } from '../text/word-table.ts';
import { wordList, wordSet } from '../text/words.ts';

/** What is known of a command: how it is used, as bits. */
export const use = {
  /** Says something useful without arguments, and its name is no word of a language. */
  sureAlone: 1 << 0,
  /** Says something useful without arguments; its name is short or a word. */
  alone: 1 << 1,
  /** Its name is an ordinary English word. */
  english: 1 << 2,
  /** Takes `-x`, `--long`, `/x`. */
  options: 1 << 3,
  /** Takes paths and files. */
  paths: 1 << 4,
  /** Takes host names, addresses and URLs. */
  hosts: 1 << 5,
  /** Takes a number. */
  numbers: 1 << 6,
  /** Takes a command line: `sudo`, `xargs`. */
  command: 1 << 7,
  /** Takes any text: `echo`. */
  text: 1 << 8,
  /** Takes a sub-command of `subcommands`. */
  subcommand: 1 << 9,
  /** Runs what comes through a pipe: `sh`. */
  interpreter: 1 << 10,
  /** Takes names of variables of the environment: `printenv PATH`. */
  variables: 1 << 11,
  /** Runs the program that it is given, of another language: `python3`. */
  program: 1 << 12,
} as const;

const { sureAlone, alone, english, options, paths, hosts, numbers, command, text } = use;
const { subcommand, interpreter, variables, program } = use;

const table: readonly (readonly [uses: number, names: string])[] = [
  [
    sureAlone | options,
    `whoami uname ifconfig ipconfig netstat systeminfo tasklist printenv hostname lsof
     nbtstat getmac driverquery lsblk lscpu lspci lsusb lsmod dmesg pstree nproc qwinsta
     vmstat hostnamectl gci gwmi get-process get-service get-host get-date get-location
     get-childitem get-computerinfo get-localuser get-localgroup get-nettcpconnection
     get-history get-hotfix blkid sestatus getconf dmidecode lastlog iostat`,
  ],
  [variables, 'printenv unset export'],
  [english, 'trap'],
  [
    options | hosts | paths,
    'mshta rundll32 regsvr32 certutil msiexec cscript wscript hh odbcconf installutil cmstp',
  ],
  [alone | options | paths, 'ls dir env vdir'],
  [alone | options, 'id pwd rem'],
  [
    alone | english | options,
    `ps w who date set ver top df free mount uptime history last jobs time reboot halt
     poweroff groups logname tty users finger vol arp ss export declare typeset lastb
     shutdown logout set exit true false cal locale help info alias arch`,
  ],
  [
    options | paths,
    `tac nl tr xxd hexdump uniq wc cmp base64 base32 md5sum sha1sum sha256sum
     sha512sum cksum readlink realpath zcat bzcat xzcat zless vim vimdiff nano emacs
     awk gawk mawk sed grep egrep fgrep rgrep zgrep cp mv rm mkdir rmdir chown chgrp
     chattr lsattr unlink mkfifo mknod tar gzip gunzip bzip2 unzip cpio rsync dd gcc
     crontab xcopy robocopy attrib icacls cacls takeown findstr rd md erase ren certutil
     rundll32 regsvr32 msiexec cscript wscript mshta forfiles vssadmin bcdedit diskpart
     mysql mysqldump psql sqlite3 mongo redis-cli gpg iconv perf gdb strace
     ltrace tcpdump iptables fdisk mkfs insmod modprobe chroot get-content set-content
     add-content out-file remove-item copy-item move-item new-item import-module
     select-string gc stat getfacl setfacl useradd adduser usermod userdel groupadd
     passwd lsb_release dpkg rpm cmdkey fsutil wevtutil pgrep objdump basename
     dirname tee mapfile readarray exiftool ffmpeg 7z mktemp nsenter unshare`,
  ],
  [
    english | options | paths,
    `cat . od vi dash ash del more less head tail cut paste sort diff file rev bat view ed
     touch ln join split look find locate which where whereis type copy move shred
     truncate install cd source read print write script cls tree fc comp assoc title
     start call cmp test expand compact replace recover patch fold column pr node go at
     link dump watch open say mail sendmail mailx man git svn make convert identify
     zip rar ar strings`,
  ],
  [
    options | hosts | paths,
    'curl wget lynx xterm tftp sftp ssh scp telnet rlogin rsh aria2c telnetd utelnetd dropbear wget2',
  ],
  [
    options | hosts,
    `nc ncat netcat socat nmap ping6 traceroute tracert pathping nslookup dig whois mtr
     hping3 bitsadmin ftp resolve-dnsname test-connection test-netconnection
     invoke-webrequest invoke-restmethod iwr irm start-bitstransfer`,
  ],
  [english | options | hosts, 'ping host fetch drill'],
  [options | paths | hosts | subcommand, 'getent openssl'],
  [numbers | options, 'usleep waitfor taskkill pkill killall fuser start-sleep renice'],
  [numbers | english | options, 'sleep timeout kill wait'],
  [numbers | options, 'expr seq umask unalias shopt popd compgen'],
  [numbers | options | paths, 'chmod'],
  [
    interpreter | options | paths,
    'sh bash zsh ksh csh tcsh rbash cmd powershell pwsh iex invoke-expression',
  ],
  [
    program | options | paths,
    `fish python python2 python3 perl ruby php php-cgi php5 php7 php8 lua tclsh java
     javac nodejs osascript powershell_ise irb deno bun pypy ipython rscript`,
  ],
  [
    command | options,
    'env busybox sudo su doas nohup xargs ionice setsid stdbuf unbuffer runas psexec start-process',
  ],
  [command | english | options, 'exec eval command builtin time watch call start'],
  [text | options, 'echo printf write-output write-host write-warning'],
  [
    subcommand | options,
    `net net1 reg sc schtasks netsh wmic systemctl docker kubectl apt apt-get yum dnf pip
     pip3 npm route ip gem crictl podman aws gcloud service nltest dsquery wbadmin
     journalctl cargo sysctl launchctl defaults brew pkg apk snap`,
  ],
];

/** Second words that make `net`, `reg` and the like a command line and not a noun. */
export const subcommands: ReadonlySet<string> = wordSet(
  `user users view localgroup group share use start stop accounts config session
     sessions statistics add query delete save export import create qc process os path
     computersystem bios useraccount logicaldisk startup product /node: list get call
     status restart enable disable reload run exec ps images pull cp logs inspect apply
     install remove update upgrade purge addr link neigh advfirewall firewall interface
     wlan winhttp print show change /create /query /run /change -a -l configure s3 sts
     iam vm account compute write read hosts ahosts ahostsv4 passwd shadow s_client
     s_server enc dgst rand`,
);

/** Commands whose argument is usually a plain word, and whose name is none. */
export const plainTakers: ReadonlySet<string> = wordSet(
  `rm mv cp chown chgrp grep egrep mkdir rmdir killall pkill su scp useradd userdel adduser
     powershell pwsh start-process netsh vssadmin schtasks bcdedit wevtutil`,
);

/** Programs of developers: honest people search for their command lines and paste them. */
export const developerTools: ReadonlySet<string> = wordSet(
  `docker kubectl podman crictl apt apt-get yum dnf pip pip3 npm npx yarn gem cargo
     brew snap apk pkg git systemctl journalctl service launchctl sudo python python2
     python3 node nodejs java javac php ruby perl lua go make gcc mysql psql ssh deno bun
     gdb ffmpeg dpkg rpm defaults sysctl aws az gcloud`,
);

/** Programs whose sub-commands the scripts of a project chain: `npm run a && npm run b`. */
export const buildTools: ReadonlySet<string> = new Set(['npm', 'cargo']);

/** Names that stand alone in honest headings: `| History`, `; last`. */
export const headings: ReadonlySet<string> = wordSet(
  'info help last top free time host history date who more alias true false',
);

/** Uses by command name, in lower case; 0 for a word that is no command. */
export function usesOf(name: string): number {
  // A map would compute the hash of each new string in a slower way.
  return vocabulary.get(commandNames.wordBetween(name, 0, name.length)) ?? 0;
}

const vocabulary: ReadonlyMap<string, number> = buildVocabulary();

/** All names; finds one in a text in any case. */
export const commandNames: WordTable = createWordTable(vocabulary.keys());

function buildVocabulary(): Map<string, number> {
  const map = new Map<string, number>();
  for (const [uses, names] of table) {
    for (const name of wordList(names)) map.set(name, (map.get(name) ?? 0) | uses);
  }
  return map;
}

/**
 * Words that a column, a field or a sort order is named with: no value that a command is put
 * behind.
 */
export const columnNames: ReadonlySet<string> = wordSet(
  `id name title date type user email price size status key value label code text count time sort
   order ids uid pid login username password pwd host`,
);
