import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, isAlnum } from '../../text/char-class.ts';
import { endsValue, standsBesideValue } from '../../text/place.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `@System.IO.File.ReadAllText("/etc/passwd")`: an implicit expression of Razor. */
export const razor: ValueRule = {
  id: 'ssti.razor',
  category: 'ssti',
  cwe: 'CWE-1336',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes the Razor engine call into .NET',
  trigger: {
    classes: charClass.at | charClass.paren,
    literals: [
      [
        '@system.',
        '@(system.',
        '@{',
        '@html.raw',
        '@using system',
        '@activator.',
        '@typeof',
        '.gettype(',
      ],
    ],
  },
  judge,
  examples: [
    '@System.IO.File.ReadAllText("/etc/hosts")',
    '@(System.Diagnostics.Process.Start("cmd.exe"))',
    'Hi @System.Environment.GetEnvironmentVariable("PATH")',
    '@{ System.Diagnostics.Process.Start("calc"); }',
    '@Model.GetType()',
    'Hi @Model.GetType().Assembly.Location',
  ],
  lookalikes: [
    'mail bob@system.io (work)',
    '@system.team (all) please look',
    '@{user} was here (twice)',
    'In the Razor view I print @Model.GetType() and get a proxy',
    'the namespace System.IO has File.ReadAllText()',
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  const match = expression.exec(text);
  if (match === null) return reflection(text);
  const end = callEnd(text, match.index + match[0].length);
  return end < 0 ? undefined : { start: match.index + (match[1] ?? '').length, end };
}

/** An at sign that belongs to no mail address, and a root of .NET. */
const expression = /(^|[^A-Za-z0-9])@(?:\(|\{ ?)?(?:system|activator)\./i;

/** `@Model.GetType()`: what the model is, and from there the assembly. */
function reflection(text: string): Match | undefined {
  const match = typeOfModel.exec(text);
  if (match === null) return undefined;
  const start = match.index + (match[1] ?? '').length;
  const end = match.index + match[0].length;
  if (match[2] !== undefined) return { start, end };
  return {
    start,
    end,
    score:
      standsBesideValue(text, start) && endsValue(text, end) ? confidence.strong : confidence.hint,
  };
}

const typeOfModel =
  /(^|[^A-Za-z0-9])@\(?(?:model|this|context|html|viewbag|viewdata)\.gettype\( ?\)(\.(?:assembly|module|getmethods?|getfields?|getproperties)\b)?/i;

/** After `IO.File.ReadAllText(`; -1 when the path does not end in a call. */
function callEnd(text: string, from: number): number {
  let at = from;
  let dots = 0;
  while (at - from < 80 && (isAlnum(text.charCodeAt(at)) || text.charCodeAt(at) === 46)) {
    if (text.charCodeAt(at) === 46) dots++;
    at++;
  }
  return dots > 0 && text.charCodeAt(at) === 40 ? Math.min(text.length, at + 40) : -1;
}
