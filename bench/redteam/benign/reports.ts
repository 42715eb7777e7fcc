import type { Random } from '../../lib/random.ts';
import { documentation } from './documentation.ts';
import { messages } from './messages.ts';
import type { BenignText, Origin } from './origin.ts';
import { packages } from './packages.ts';
import { sources } from './sources.ts';

const charactersMax = 4_000;

/** Texts like those of an issue tracker, put together from the other origins. */
export const reports: Origin = {
  name: 'bug reports',
  missing: () => parts.flatMap((part) => part.missing()),
  *texts(random) {
    const [says, documents, codes, pages] = parts.map((part) => shorter(part.texts(random)));
    if (!says || !documents || !codes || !pages) return;
    for (;;) {
      const drawn = [says, documents, codes, pages].map((one) => one.next());
      if (drawn.some(({ done }) => done)) return;
      const [message = '', prose = '', code = '', page = ''] = drawn.map(
        ({ value }) => value ?? '',
      );
      yield report(random, { message, prose, code, page });
    }
  },
};

const parts = [messages, documentation, sources, packages];

interface Parts {
  readonly message: string;
  readonly prose: string;
  readonly code: string;
  readonly page: string;
}

/** Parts that leave room for each other. */
function* shorter(texts: Iterable<BenignText>): Generator<string, undefined> {
  for (const { text } of texts) {
    if (text.length <= 900) yield text;
  }
  return undefined;
}

const programs = [
  'the importer',
  'npm install',
  'our build',
  'psql',
  'git push',
  'the log-in form',
  'your Docker image',
  'make test',
  'the nightly job',
  'apt',
];
/** One opening for all would weigh more in the count than anything that is found. */
const openings = [
  '',
  'Since the update ',
  'On my laptop ',
  'Every time, ',
  'With a clean clone ',
  'I think ',
];
const greetings = ['Hi all,', 'Hello,', 'Hey team!', 'Dear maintainers,', 'Guten Tag,', 'Bonjour,'];
const names = ["Ann O'Neil", 'Jörg', 'M. Dupont', 'Priya', 'x-dev', 'Zoë & Tim'];

function report(random: Random, found: Parts): BenignText {
  const { message, prose, code } = found;
  const line = message.split('\n')[0]?.slice(0, 160) ?? '';
  const version = `${random.below(20)}.${random.below(30)}.${random.below(10)}`;
  switch (random.below(6)) {
    case 0: {
      const title = `[Bug] ${random.pick(programs)} fails with "${line}" since v${version}`;
      return { name: random.pick(['body.title', 'body.subject']), text: title, kind: 'title' };
    }
    case 1:
      return described('log', logOf(random, found));
    case 2:
      return described('quoted mail', mailOf(random, found));
    default: {
      const text = [
        `${random.pick(greetings)}\n`,
        `${random.pick(openings)}${random.pick(programs)} (v${version}, Node ${18 + random.below(7)}) says:\n`,
        `> ${line}\n`,
        '### Steps to reproduce',
        `1. Open \`src/${random.pick(['app', 'db', 'index'])}.ts\` and put this in:\n`,
        `\`\`\`\n${code}\n\`\`\`\n`,
        `2. Run it; see #${random.below(9_000)}\n`,
        '### Expected behaviour',
        prose,
        `\n### Environment\n- OS: Debian ${10 + random.below(4)}\n- commit: ${random.next().toString(16)}`,
        `\n-- \n${random.pick(names)}`,
      ];
      return described('report', text.join('\n'));
    }
  }
}

function described(kind: string, text: string): BenignText {
  const cut = text.slice(0, charactersMax).toWellFormed();
  return { name: kind === 'log' ? 'body.log' : 'body.description', text: cut, kind };
}

const levels = ['INFO', 'WARN', 'ERROR', 'DEBUG'];

function logOf(random: Random, { message, page }: Parts): string {
  const lines = [...message.split('\n'), ...page.split('\n')].filter((line) => line.trim() !== '');
  return lines
    .map((line, index) => {
      const time = new Date(1_750_000_000_000 + random.below(10_000_000) * 1_000).toISOString();
      return `${time} ${random.pick(levels)} [worker-${random.below(8)}] ${line} (+${index}ms)`;
    })
    .join('\n');
}

function mailOf(random: Random, { prose, page, message }: Parts): string {
  const quoted = prose.split('\n').map((line) => `> ${line}`);
  return [
    `On Tue, Jun ${1 + random.below(28)}, 2026 at ${random.below(12)}:${10 + random.below(49)} PM, ${random.pick(names)} <dev${random.below(99)}@example.org> wrote:`,
    ...quoted,
    '',
    page,
    '',
    `${message.split('\n')[0] ?? ''} -- that is what I get.`,
    `\nRegards,\n${random.pick(names)}`,
  ].join('\n');
}
