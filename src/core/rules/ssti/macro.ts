import { confidence } from '../../placement/confidence.ts';
import { type Form, firstOf, forms, foundBy, strongestForm } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { endsValue, standsBesideValue } from '../../text/place.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** What stands outside of delimiters, or breaks out of them: Cheetah, XWiki, probes. */
export const macro: ValueRule = {
  id: 'ssti.macro',
  severity: 'critical',
  score: confidence.strong,
  message: 'makes a template engine import a module, run a macro or show which engine it is',
  trigger: {
    literals: [
      [
        '#import ',
        '#from ',
        ...wordList('$os. $sys. {{/velocity {{/groovy {{/python {{/async'),
        '{{async ',
        ...wordList('{{velocity {{groovy {{< <% {{$ ${{ print(process'),
      ],
    ],
  },
  judge: (subject) => strongestForm(subject.text, macros) ?? probe(subject),
  examples: [
    "#import os\n$os.popen('id').read()",
    "$os.system('id')",
    '}}}{{async async=false}}{{velocity}}$xwiki{{/velocity}}{{/async}}',
    '<% print(process.env.SECRET) %>',
    `\${{<%[%'"}}%\\.`,
  ],
  lookalikes: [
    '#import os is what the old line said',
    'the {{groovy}} macro of a wiki',
    '$os.name is the variable',
    '${{ secrets.TOKEN }}',
    'run: echo ${{ matrix.os }} && npm ci',
    '<%= process.env.NODE_ENV %>',
  ],
};

const macros: readonly Form[] = [
  ...forms(
    confidence.certain,
    confidence.hint,
    /\$(?:os|sys|subprocess|commands|shutil)\.(?:popen|system|exec\w{0,3}|spawn\w{0,3}|listdir|environ|getcwd|modules|getoutput|check_output|run|call)\b ?[([.]/,
  ),
  ...forms(
    confidence.strong,
    confidence.hint,
    /#(?:import|from) {1,3}(?:os|sys|subprocess|commands|socket|shutil)\b[^\n]{0,60}\n[^\n]{0,60}\$\w{1,24}[.(]/,
    /\{\{(?:velocity|groovy|python|ruby|php)(?: [^}\n]{0,60})?\}\}[^{]{1,400}\{\{\/(?:velocity|groovy|python|ruby|php)\}\}/,
    /\{\{async {1,3}async=/,
    /<%[=-]? {0,2}(?:print|console\.log) {0,2}\( {0,2}(?:process|global|globalThis)\b/,
  ),
];

/** Delimiters of three engines in one run of marks: `${{<%[%'"}}%\`. */
function probe(subject: Subject): Match | undefined {
  for (const { index, 0: run } of firstOf(subject, subject.text.matchAll(delimiterRun))) {
    const count = openers.filter((opener) => run.includes(opener)).length;
    if (count >= 3) return { start: index, end: index + run.length, score: confidence.strong };
  }
  return undefined;
}

const delimiterRun = /[${}<%[\]'"#@*(~\\]{7,40}/g;
const openers: readonly string[] = ['{{', '${', '<%', '#{', '*{', '@(', '[[', '{%', '@{', '~{'];

/** Literals of `server`. */
const serverStarts: readonly string[] = [
  ...wordList(
    '@configuration @(configuration @context. @httpcontext. @(context. @request. @appdomain.',
    '@(appdomain. @typeof @(typeof @html. @(html. @file. @directory. @process. @environment.get',
    'connectionstring .getdebugview(',
  ),
  '@await html.',
];

/** `@System.IO.File.ReadAllText("/etc/passwd")`: an implicit expression of Razor. */
export const razor: ValueRule = {
  id: 'ssti.razor',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes the Razor engine call into .NET',
  trigger: {
    classes: charClass.at,
    literals: [['@system.', '@(system.', '@{', '@activator.', '.gettype(', ...serverStarts]],
  },
  judge,
  examples: [
    '@System.IO.File.ReadAllText("/etc/hosts")',
    '@(System.Diagnostics.Process.Start("cmd.exe"))',
    'Hi @System.Environment.GetEnvironmentVariable("PATH")',
    '@{ System.Diagnostics.Process.Start("calc"); }',
    '@Model.GetType()',
    '@Configuration["ConnectionStrings:Default"]',
    '@Context.RequestServices',
    '@AppDomain.CurrentDomain.GetAssemblies()',
    'Ann @(typeof(System.IO.File).Assembly)',
    '@Configuration["Jwt:Secret"]',
    '@using System.IO\n@File.ReadAllText("web.config")',
    '@Process.Start("calc")',
    '@inject IConfiguration c\n@c.GetDebugView()',
    '@inject IConfiguration c @c["ConnectionStrings:x"]',
    '@Environment.GetEnvironmentVariable("PATH")',
    '@await Html.PartialAsync("/etc/passwd")',
    'Hi @Model.GetType().Assembly.Location',
  ],
  lookalikes: [
    'mail bob@system.io (work)',
    '@system.team (all) please look',
    '@{user} was here (twice)',
    'In the Razor view I print @Model.GetType() and get a proxy',
    '@server is down (again)',
    '@Context menu',
    '@inject IConfiguration Config',
    '@using System.IO',
    '@System.Environment.NewLine',
    '@Environment.UserName on @Server.MachineName',
    '@(typeof(System.String))',
    'Hi @system.io.team',
    '@Configuration\npublic class App { }',
    '@Configuration["App:Name"]',
    '@Environment.GetEnvironmentVariable("ASPNETCORE_ENVIRONMENT")',
    '@file.read("a") and @Localizer["Password"]',
    '@Html.Partial("_Card")',
    'the namespace System.IO has File.ReadAllText()',
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  return foundBy(expression.exec(text)) ?? reflection(text) ?? ofServer(text);
}

/** Secrets of the settings, services, assemblies: where no sentence stands around it. */
function ofServer(text: string): Match | undefined {
  const match = foundBy(server.exec(text));
  return match && { ...match, score: isAlone(text, match) ? confidence.likely : confidence.hint };
}

/** In the case of C#: `@configuration` and `@context` are of others. A plain property (`@Environment.UserName`) does no harm. */
const server =
  /(?<![A-Za-z0-9])@(?:\(|await )?(?:(?:File|Directory|Process)\.(?:Read|Open|Write|Append|Get|Enumerate|Start|Delete|Copy|Move)\w{0,20}\(|Environment\.GetEnvironmentVariables?\((?!["'](?:ASPNETCORE|DOTNET)_)|\w{1,40}(?:\[["']ConnectionStrings?:|\.Get(?:DebugView|ConnectionString)\()|Configuration\[["'](?:[\w:]{0,40}:)?(?:ConnectionStrings?:|\w{0,30}(?:Secret|Password|Token|Key)\w{0,20}["'])|(?:Http)?Context\.RequestServices\b|ConfigurationManager\.(?:ConnectionStrings|AppSettings)\b|Request\.ServerVariables\b|AppDomain\.CurrentDomain\.\w|typeof\([\w.]{1,80}\)\.(?:Assembly|Module|Get[A-Z])|Html\.(?:Partial|RenderPartial)(?:Async)?\(["'](?:\/(?:etc|proc)\/|~\/[Ww]eb\.config|[A-Za-z]:\\))/;
/** An at sign that belongs to no mail address, a root of .NET, and a call of what is in it. */
const expression =
  /(?<![A-Za-z0-9])@(?:\(|\{ ?)?(?:system|activator)\.(?=[a-z\d]{0,80}\.)[a-z\d.]{1,80}\(.{0,39}/is;

/** `@Model.GetType()`: what the model is, and from there the assembly. */
function reflection(text: string): Match | undefined {
  const found = typeOfModel.exec(text);
  const match = foundBy(found);
  if (match === undefined || found?.[1] !== undefined) return match;
  return { ...match, score: isAlone(text, match) ? confidence.strong : confidence.hint };
}

const typeOfModel =
  /(?<![A-Za-z0-9])@\(?(?:model|this|context|html|viewbag|viewdata)\.gettype\( ?\)(\.(?:assembly|module|getmethods?|getfields?|getproperties)\b)?/i;

/** What stands around it is no sentence. */
function isAlone(text: string, { start, end }: Match): boolean {
  return standsBesideValue(text, start) && endsValue(text, end);
}
