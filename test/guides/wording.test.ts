import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { detectors } from '../../src/core/rules/registry.ts';
import { guidePaths, readGuide, root } from './code-blocks.ts';

/** Words that users need not learn: what to say instead, a text that is refused, one that is not. */
const banned: readonly {
  readonly words: RegExp;
  readonly say: string;
  readonly bad: string;
  readonly good: string;
}[] = [
  {
    words: /\bhonest(?:ly)?\b/i,
    say: 'benign',
    bad: 'Honest text passes',
    good: 'dishonesty',
  },
  {
    words: /\bfalse alarms?\b/i,
    say: 'false positive',
    bad: 'few false alarms',
    good: 'set an alarm',
  },
  {
    words: /\blook-alikes?\b/i,
    say: 'near miss, benign example',
    bad: 'examples and look-alikes',
    good: 'they look alike',
  },
  {
    words: /\bjudg(?:e[sd]?|ing)\b/i,
    say: 'screened, inspected',
    bad: 'every value is judged',
    good: 'a judgement of your own',
  },
  {
    words: /\boutlets?\b/i,
    say: 'exporter',
    bad: 'each outlet sends it',
    good: 'let it go out',
  },
  {
    words: /\b(?:is|are|be|been|was|were) told (?:of|about|that|how|when|why)\b/i,
    say: 'notified, reported',
    bad: 'who is told of blocks',
    good: 'what a proxy is sent',
  },
  {
    words: /\b(?:is|are|be|was|were) away\b(?! from)/i,
    say: 'unavailable',
    bad: 'while the database is away',
    good: 'it is away from the main thread',
  },
  {
    words: /\b(?:any|every|no|some)body\b|\bwho(?:m|so)?ever\b/i,
    say: 'user, caller, client',
    bad: 'whoever has a key',
    good: 'the body of a request',
  },
  {
    words: /\bbr(?:ing|ings|inging|ought) (?:it |them )?back\b/i,
    say: 'roll back, restore',
    bad: 'Bring back version 2',
    good: 'Roll back to version 2',
  },
  {
    words: /\bload older\b/i,
    say: 'load more',
    bad: 'Load older ones',
    good: 'Load more',
  },
  {
    words: /\blook(?:s|ed|ing)? at\b/i,
    say: 'screened, inspected, read',
    bad: 'every field is looked at',
    good: 'look up the id',
  },
  {
    words:
      /\b(?:connection|database|machine|package|page|port|process|server|table|thread)s? of (?:its|their) own\b/i,
    say: 'dedicated, separate',
    bad: 'on a port of its own',
    good: 'goes on with a script of its own',
  },
  {
    words: /\b(?:a|an|the|at|each|every|clean) stop\b/i,
    say: 'shutdown',
    bad: 'at the stop',
    good: 'to stop the service',
  },
  {
    words: /\b(?:control|special|other|odd|invisible|such|few) (?:signs?|marks?)\b/i,
    say: 'character, punctuation',
    bad: 'without control signs',
    good: 'percent signs and quotation marks',
  },
  {
    words: /\bkept of (?:a|an|the|each) (?:block|event)s?\b/i,
    say: 'event',
    bad: 'what is kept of a block',
    good: 'how long events are kept',
  },
  {
    words: /(?<!bench )\bin the run\b(?! of\b)/i,
    say: 'at runtime',
    bad: 'what changes in the run',
    good: 'in the run of two days before',
  },
];

/** Source files without texts for users: their texts are data. Rules are read as objects below. */
const withoutProse = ['src/core/', 'src/dashboard/dist/'];

for (const { words, say, bad, good } of banned) {
  test(`"${bad}" is refused: say ${say}`, () => {
    assert.match(bad, words);
    assert.doesNotMatch(good, words);
  });
}

test('the guides use the words of the glossary', () => {
  const guides = guidePaths().filter((path) => path !== 'CHANGELOG.md');
  assert.ok(guides.includes('.github/CONTRIBUTING.md') && guides.length > 15);
  assert.deepEqual(
    guides.flatMap((path) => faultsIn(path, proseOf(readGuide(path)))),
    [],
  );
});

test('the texts of the program use the words of the glossary', () => {
  const paths = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => !withoutProse.some((folder) => path.startsWith(folder)));
  const texts = paths.map((path) => [path, textsOf(readFileSync(root + path, 'utf8'))] as const);
  const all = texts.flatMap(([, found]) => found);
  // One of the error catalogue, of the command line and of the dashboard.
  for (const known of ['Resource not found', 'print JSON, with examples and near misses']) {
    assert.ok(all.includes(known), known);
  }
  assert.ok(all.some((text) => text.includes('Event not found. It may have expired.')));
  assert.deepEqual(
    texts.flatMap(([path, found]) => found.flatMap((text) => faultsIn(path, text))),
    [],
  );
});

test('the alerts and panels use the words of the glossary', () => {
  const files = ['src/deploy/alerts.yml', 'src/deploy/grafana.json'];
  assert.deepEqual(
    files.flatMap((path) => faultsIn(path, readGuide(path))),
    [],
  );
});

test('the messages of the rules use the words of the glossary', () => {
  const rules = detectors.flatMap((detector) => detector.rules);
  assert.ok(rules.length > 100);
  assert.deepEqual(
    rules.flatMap(({ id, message }) => faultsIn(id, message)),
    [],
  );
});

function faultsIn(place: string, text: string): string[] {
  return banned.flatMap(({ words, say }) => {
    const found = words.exec(text);
    if (found === null) return [];
    const around = text.slice(Math.max(0, found.index - 30), found.index + 50);
    return [`${place}: "${around.replaceAll(/\s+/g, ' ')}": say ${say}`];
  });
}

/** A guide without its code. */
function proseOf(guide: string): string {
  return guide.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The texts of a source file that may be sentences: literals with a space, and those of JSX. */
function textsOf(source: string): string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const literals = code.match(/'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  const jsx = code.match(/(?<=[^=]>)[^<>{}=;]+(?=[<{])/g) ?? [];
  return [...literals.map((text) => text.slice(1, -1)), ...jsx]
    .map((text) => text.trim())
    .filter((text) => text.includes(' '));
}
