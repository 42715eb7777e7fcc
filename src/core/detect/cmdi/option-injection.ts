import { charClass } from '../../text/char-class.ts';
import { followsValue } from '../../text/place.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';

/** Options of common programs that run a command or write a file, in place of a value. */
export const optionInjection: ValueRule = {
  id: 'cmdi.option-injection',
  category: 'cmdi',
  cwe: 'CWE-88',
  severity: 'high',
  score: 85,
  message: 'is an option that makes the called program run a command',
  trigger: {
    classes: charClass.dash,
    literals: [
      [
        'proxycommand',
        'localcommand',
        'checkpoint-action',
        'use-askpass',
        'to-command',
        'use-compress-program',
        'upload-pack',
        'receive-pack',
        '--post-file',
        'open-files-in-pager',
        '--rsh=',
        '--config-env',
        'core.sshcommand',
        'core.pager',
        'ext::',
        'gpu-launcher',
        'renderer-cmd-prefix',
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
  ],
  lookalikes: [
    'How do I use the ProxyCommand option of ssh?',
    'ssh-config: ProxyCommand none',
    'tar has --checkpoint-action, see the manual',
    'set core.pager to less -R',
  ],
};

/** `& < [` start a placeholder of a manual. */
const placeholders: readonly number[] = [38, 60, 91];

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  const match = option.exec(text);
  if (match === null) return undefined;
  const start = match.index + (match[1] ?? '').length;
  const end = match.index + match[0].length;
  const next = text.charCodeAt(end);
  const hasValue = next > 32 && !placeholders.includes(next);
  if (!hasValue || !followsValue(text, start)) return undefined;
  return { start, end: Math.min(text.length, end + 40) };
}

/** What stands before it, and the option up to its equals sign. */
const option =
  /(^|[^A-Za-z0-9])(?:-o ?(?:proxy|local|knownhosts)command=|--(?:checkpoint-action|use-askpass|to-command|use-compress-program|upload-pack|receive-pack|post-file|open-files-in-pager|rsh|config-env|gpu-launcher|renderer-cmd-prefix)=|-c core\.(?:sshcommand|pager|editor|fsmonitor)=)/i;
