import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { findTool } from '../../../../test/support/require-tool.ts';
import type { Context, Effect, Oracle, Reply } from '../../contract.ts';
import { type ShellContext, shellContexts } from './contexts.ts';
import { type JailPlan, type JailReport, jailTools, startJail } from './jail.ts';

/** An oracle whose contexts are shell commands. */
export interface ShellOracle extends Oracle {
  readonly contexts: readonly ShellContext[];
}

// A client that can run one of these in place of the application has won.
const stubs = [
  ...['cat', 'ls', 'id', 'whoami', 'uname', 'hostname', 'ps', 'ifconfig', 'ip'],
  ...['netstat', 'ss', 'curl', 'wget', 'nc', 'ncat', 'socat', 'telnet', 'ssh', 'scp', 'ftp'],
  ...['tftp', 'ping', 'traceroute', 'nslookup', 'dig', 'whois', 'sleep', 'python'],
  ...['python3', 'perl', 'ruby', 'php', 'node', 'lua', 'java', 'gcc', 'rm', 'mv', 'cp', 'touch'],
  ...['mkdir', 'chmod', 'chown', 'ln', 'dd', 'kill', 'killall', 'reboot', 'shutdown', 'useradd'],
  ...['passwd', 'su', 'sudo', 'crontab', 'mail', 'sendmail', 'git', 'tar', 'zip', 'unzip', 'gzip'],
  ...['openssl', 'docker', 'systemctl', 'mysql', 'psql', 'convert', 'identify', 'ffmpeg', 'pandoc'],
  ...['du', 'df', 'uptime', 'dmesg', 'lsof', 'gdb', 'vi', 'vim'],
];

// These work, and are nothing in themselves: what counts is what they lead to.
const utilities = [
  ...['[', 'test', 'true', 'false', 'echo', 'printf', 'env', 'xargs', 'rev', 'tr'],
  ...['sed', 'awk', 'cut', 'head', 'tail', 'sort', 'uniq', 'tee', 'base64', 'xxd', 'od', 'hexdump'],
  ...['expr', 'seq', 'timeout', 'time', 'find', 'dirname', 'basename', 'tac'],
  ...['nl', 'wc', 'fold', 'paste', 'strings', 'grep', 'egrep', 'fgrep', 'yes', 'date', 'factor'],
  ...['cmp', 'diff', 'md5sum', 'sha1sum', 'sha256sum', 'setsid', 'stat', 'readlink', 'realpath'],
  ...['which', 'ash', 'busybox', 'bc', 'dc', 'shuf', 'uudecode', 'uuencode', 'bzip2', 'cal'],
];

// Utilities that busybox does not have.
const beside = ['printenv', 'nohup', 'nice'];

/** What programs do of themselves if the right option is given: run, write, send, or read a file. */
const risky: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z]*[oOTKFD]|--(?:output|upload-file|config|form|remote-name|dump-header|trace)\b|(?:--data\S*[= ]?)?@|file:)/,
  wget: /^(?:-[OiPae]|--(?:output-\w+|input-file|post-file|body-file|directory-prefix|execute|use-askpass|append-output|config)\b)/,
  tar: /^(?:-I|--(?:checkpoint-action|to-command|use-compress-program|info-script|rsh-command|rmt-command|new-volume-script)\b)/,
  git: /^(?:--(?:upload-pack|receive-pack|output|exec|open-files-in-pager)\b|-O|-c$|ext::)/,
  php: /^(?:-[rdBREF]|--(?:run|define|process-\w+)\b)/,
  pandoc: /^(?:-[oFL]|--(?:output|filter|lua-filter|pdf-engine|extract-media|log)\b)/,
  mail: /^-(?:[AS]|-exec)/,
  du: /^--files0-from\b/,
  dig: /^-f/,
  gzip: /^-\w*(?:[dfk]|S)/,
};

/** What the command with the value in it did. */
function effectOf(context: ShellContext, report: JailReport, secret: string): Effect {
  const { wasRead, filesChanged, connected, secretShown } = report;
  if (wasRead || filesChanged || connected || secretShown) return 'effective';
  const counts = new Map<string, number>();
  for (const [path = '', ...args] of report.calls) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count > (context.intended[name] ?? 0)) return 'effective';
    if (args.some((arg) => arg.includes(secret))) return 'effective';
    if (hasPower(context, name, args)) return 'effective';
  }
  const isUnheard = counts.size === 0 && Object.keys(context.intended).length > 0;
  return report.timedOut || (isUnheard && report.status !== 0) ? 'error' : 'inert';
}

/** Whether the program got an option that the command does not have and that gives it power. */
function hasPower(context: ShellContext, name: string, args: readonly string[]): boolean {
  const own = new Set(context.script(context.benign[0] ?? '').split(/\s/));
  return args.some((arg) => !own.has(arg) && (risky[name]?.test(arg) ?? false));
}

interface Shell {
  readonly name: string;
  readonly program: string;
  /** Shells beside it, as they are on a machine that has it as `sh`. */
  readonly others: readonly string[];
  readonly argv: readonly string[];
  readonly contexts: readonly ShellContext[];
}

/** Those that shells read in different ways; one shell has all. */
const someContexts = shellContexts.filter((context) => context.isForAll);

function shellOracle({ name, program, others, argv, contexts }: Shell): ShellOracle {
  return {
    name,
    category: 'cmdi',
    language: 'shell',
    tools: [program, 'busybox', ...others, ...jailTools],
    contexts,
    start: async () => {
      const secret = randomBytes(12).toString('hex');
      const plan = planOf(program, others, secret);
      let jail = await startJail(plan);
      const reply = async (context: Context, [value = '']: readonly string[]): Promise<Reply> => {
        const shell = context as ShellContext;
        const command = [`/bin/${program}`, ...argv, '-c', shell.script(value)];
        try {
          const report = await jail.run(command);
          return report === undefined ? refused : replyOf(shell, report, secret);
        } catch {
          // Whatever ended it: the next value has a jail again.
          jail = await startJail(plan);
          return refused;
        }
      };
      return {
        judge: async (context, values) => (await reply(context, values)).effect,
        reply,
        close: () => jail.close(),
      };
    },
  };
}

const refused: Reply = { effect: 'error', text: '', hasFailed: true };

function replyOf(context: ShellContext, report: JailReport, secret: string): Reply {
  const isSlow = report.timedOut || report.calls.some(([path]) => path?.endsWith('/sleep'));
  return { effect: effectOf(context, report, secret), text: report.output, isSlow };
}

function planOf(program: string, others: readonly string[], secret: string): JailPlan {
  const shells = [program, ...others, 'busybox', ...beside].map((name) => [
    `/usr/bin/${name}`,
    where(name),
  ]);
  const links = utilities
    .filter((name) => name !== 'busybox')
    .map((name) => [`/usr/bin/${name}`, 'busybox']);
  return {
    secret,
    copies: Object.fromEntries(shells),
    shown: ['/usr/lib', '/usr/lib64', '/dev/null', '/dev/zero', '/dev/urandom'].filter(existsSync),
    links: {
      ...Object.fromEntries(links),
      '/usr/bin/sh': program,
      ...{ '/bin': 'usr/bin', '/sbin': 'usr/bin', '/lib': 'usr/lib', '/lib64': 'usr/lib64' },
      ...{ '/etc': 'var/etc', '/tmp': 'var/tmp', '/root': 'var/root', '/home': 'var/home' },
      ...{ '/dev/fd': '/proc/self/fd', '/dev/stdin': '/proc/self/fd/0' },
    },
    stubs,
    files: {
      '/var/etc/passwd': `root:x:0:0:${secret}:/root:/bin/bash\nwww-data:x:33:33::/var/www:/bin/sh\n`,
      '/var/etc/shadow': `root:$6$${secret}:19000:0:99999:7:::\n`,
      '/var/etc/hosts': '127.0.0.1 localhost\n',
      // Shells ask for the user's name when they start: that is no attack.
      '/var/etc/nsswitch.conf': 'passwd:\ngroup:\nhosts: files\n',
      '/var/www/app/.env': `DB_PASSWORD=${secret}\n`,
      '/var/www/app/config.php': `<?php $password = '${secret}';\n`,
      '/var/www/app/index.php': '<?php echo 1;\n',
      '/var/www/app/uploads/holiday.png': 'image',
      '/var/www/app/notes.md': '# Notes\n',
      '/var/root/.ssh/id_rsa': `${secret}\n`,
      '/var/home/ann/.bash_history': `${secret}\n`,
    },
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...{ HOME: '/var/www', USER: 'www-data', LOGNAME: 'www-data', SHELL: '/bin/bash' },
      ...{ PWD: '/var/www/app', OLDPWD: '/var/www', LANG: 'C.UTF-8', TERM: 'xterm' },
      ...{ DB_PASSWORD: secret, API_KEY: secret, AWS_SECRET_ACCESS_KEY: secret },
    },
  };
}

function where(name: string): string {
  return findTool(name) ?? `/usr/bin/${name}`;
}

/** Debian's `sh`. */
export const dash = shellOracle({
  name: 'dash',
  program: 'dash',
  others: ['bash'],
  argv: ['sh'],
  contexts: shellContexts,
});

/** As `bash -c`, and where `sh` is bash. */
export const bash = shellOracle({
  name: 'bash',
  program: 'bash',
  others: ['dash'],
  argv: ['bash'],
  contexts: someContexts,
});

/** The `sh` of Alpine and of many containers. */
export const busyboxAsh = shellOracle({
  name: 'busybox ash',
  program: 'busybox',
  others: [],
  argv: ['sh'],
  contexts: someContexts,
});

/** Where a user's own shell runs the command. */
export const zsh = shellOracle({
  name: 'zsh',
  program: 'zsh',
  others: ['bash'],
  argv: ['zsh'],
  contexts: someContexts,
});
