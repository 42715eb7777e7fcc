import type { Context } from '../../contract.ts';

/** The quotes around a value, from the outside in. */
export type Quoting =
  | 'none'
  | 'single'
  | 'double'
  | 'document'
  | 'raw document'
  | 'substitution'
  | 'backticks'
  | 'arithmetic'
  | 'double > substitution > double'
  | 'double > none'
  | 'double > single'
  | 'double > single > none'
  | 'single > single';

/** A shell command as applications build it. */
export interface ShellContext extends Context {
  readonly quoting: Quoting;
  /** Each shell has it. */
  readonly isForAll: boolean;
  /** The script that `sh -c` gets. */
  script(value: string): string;
  /** How often a benign value makes each program run. */
  readonly intended: Readonly<Record<string, number>>;
}

const forAll = new Set([
  ...['argument, unquoted', 'argument, single quotes', 'argument, double quotes', 'here-document'],
  ...['command substitution', 'backticks', 'sh -c in double quotes'],
  'arithmetic',
]);

const context = (
  [name, quoting]: readonly [string, Quoting],
  [member, benign]: readonly [string, string],
  intended: string | Readonly<Record<string, number>>,
  script: (value: string) => string,
): ShellContext => ({
  name,
  quoting,
  isForAll: forAll.has(name),
  members: [member],
  benign: [benign],
  intended: typeof intended === 'string' ? { [intended]: 1 } : intended,
  script,
});

/** The ways in which a value gets into a command. */
export const shellContexts: readonly ShellContext[] = [
  context(
    ['argument, unquoted', 'none'],
    ['body.host', 'example.com'],
    'ping',
    (v) => `ping -c 1 ${v}`,
  ),
  context(
    ['argument, single quotes', 'single'],
    ['query.q', 'fix login'],
    'git',
    (v) => `git log --oneline --grep '${v}'`,
  ),
  context(
    ['argument, double quotes', 'double'],
    ['body.file', 'holiday.png'],
    'convert',
    (v) => `convert "uploads/${v}" -resize 100x100 thumb.png`,
  ),
  context(
    ['option value, unquoted', 'none'],
    ['body.title', 'Report'],
    'pandoc',
    (v) => `pandoc --metadata=title:${v} -o report.html notes.md`,
  ),
  context(
    ['option value, single quotes', 'single'],
    ['query.author', 'Ann Lee'],
    'git',
    (v) => `git log --author='${v}' --format=%s`,
  ),
  context(
    ['option value, double quotes', 'double'],
    ['body.exclude', 'drafts'],
    'tar',
    (v) => `tar czf backup.tgz --exclude="${v}" data`,
  ),
  context(
    ['whole argument, unquoted', 'none'],
    ['query.url', 'https://example.com/feed'],
    'curl',
    (v) => `curl -s ${v}`,
  ),
  context(
    ['whole argument, double quotes', 'double'],
    ['body.url', 'https://example.com/logo.png'],
    'wget',
    (v) => `wget -q "${v}"`,
  ),
  context(
    ['here-document', 'document'],
    ['body.message', 'The lift is broken again.'],
    'mail',
    (v) => `mail -s note ops@example.com <<EOF\n${v}\nEOF`,
  ),
  context(
    ['here-document, quoted word', 'raw document'],
    ['body.text', 'Please call me back.'],
    'mail',
    (v) => `mail -s note ops@example.com <<'EOF'\n${v}\nEOF`,
  ),
  context(
    ['command substitution', 'substitution'],
    ['query.folder', 'photos'],
    'du',
    (v) => `echo "$(du -sk uploads/${v})" kilobytes`,
  ),
  context(
    ['command substitution, double quotes', 'double > substitution > double'],
    ['query.name', 'www.example.com'],
    'dig',
    (v) => `echo "address: $(dig +short "${v}")"`,
  ),
  context(
    ['backticks', 'backticks'],
    ['query.zone', 'example.org'],
    'nslookup',
    (v) => `echo \`nslookup ${v}\``,
  ),
  context(
    ['after a pipe', 'none'],
    ['query.word', 'timeout'],
    'ps',
    (v) => `ps aux | grep ${v} | sort`,
  ),
  context(
    ['before a pipe', 'double'],
    ['body.comment', 'Good work!'],
    'mail',
    (v) => `echo "${v}" | mail -s comment ops@example.com`,
  ),
  context(
    ['sh -c in double quotes', 'double > none'],
    ['body.server', 'db1'],
    'ping',
    (v) => `sh -c "ping -c 1 ${v}"`,
  ),
  context(
    ['sh -c in double quotes, single quotes', 'double > single'],
    ['body.image', 'cat.jpg'],
    'identify',
    (v) => `sh -c "identify 'uploads/${v}'"`,
  ),
  context(
    ['sh -c twice', 'double > single > none'],
    ['body.target', 'gateway'],
    'traceroute',
    (v) => `sh -c "sh -c 'traceroute ${v}'"`,
  ),
  context(
    ['sh -c in single quotes', 'single > single'],
    ['body.branch', 'main'],
    'git',
    (v) => `sh -c 'git checkout ${v}'`,
  ),
  context(
    ['assignment, unquoted', 'none'],
    ['query.lang', 'en'],
    'php',
    (v) => `REPORT_LANG=${v} php report.php`,
  ),
  context(
    ['assignment, double quotes', 'double'],
    ['body.name', 'Ann'],
    'php',
    (v) => `NAME="${v}"; export NAME; php report.php`,
  ),
  context(
    ['arithmetic', 'arithmetic'],
    ['query.size', '12'],
    'php',
    (v) => `php resize.php $((${v} * 1024))`,
  ),
  context(
    ['words of a loop', 'none'],
    ['body.files', 'a.txt'],
    { gzip: 1000 },
    (v) => `for f in ${v}; do gzip "uploads/$f"; done`,
  ),
];
