import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findRegexLiterals } from './regex-literals.ts';
import { findLoops } from './regex-loops.ts';

const core = fileURLToPath(new URL('../../src/core/', import.meta.url));

/**
 * The checker in JavaScript: no child process, no Java. It must be chosen before the module loads.
 */
process.env['RECHECK_SYNC_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

describe('regular expressions of the core', () => {
  it('finds literals, and nothing else', () => {
    const text = [
      'const a = /x[/]\\/y/gi;',
      'const b = 4 / 2 / 1; // not /this/',
      "const c = 'nor /this/'; /* nor /that/ */",
      'if (d.test(e) || /inner/.test(f)) return /g/u;',
      'const h = `${i.replace(/j/, "")} /k/`;',
      'export const l =\n  /m/;',
      'const n = [\n  /o/,\n];\nfunction p(q) {\n  return q.split(/r/);\n}',
      'const s = {\n  t: (u) => /v/.test(u),\n  w(x) {\n    return /y/.test(x);\n  },\n};',
    ].join('\n');
    assert.deepEqual(
      findRegexLiterals(text).map((one) => [one.source, one.flags, one.line, one.isModuleConstant]),
      [
        ['x[/]\\/y', 'gi', 1, true],
        ['inner', '', 4, false],
        ['g', 'u', 4, false],
        ['j', '', 1, false],
        ['m', '', 7, true],
        ['o', '', 9, true],
        ['r', '', 12, false],
        ['v', '', 15, false],
        ['y', '', 17, false],
      ],
    );
  });

  it('tells a super-linear one from a linear one', () => {
    assert.equal(isLinear('^(?:a+)+$', ''), false);
    assert.equal(isLinear('a+b', ''), false);
    assert.equal(isLinear('^a+b', ''), true);
  });

  it('finds loops, with their bounds taken away', () => {
    assert.deepEqual(findLoops('^(?:a{0,4}|[)b]{2}){0,24}(?=(?:c?){9})$'), ['(?:a*|[)b]{2})']);
    assert.deepEqual(findLoops('(?<n>(?:a+\\)){4}\\k<n>){8}(?:ab){9}(?:a?){0,3}'), [
      '(?:(?:a+\\))+(?:))',
    ]);
  });

  it('tells a bounded pattern with work that doubles from one without', () => {
    assert.equal(isBoundedWork('^(?:a{1,8},?,?){0,40}$', ''), false);
    assert.equal(isBoundedWork('^(?:a{1,8},){0,40}$', ''), true);
    assert.equal(isBoundedWork('^(?:[^*]|\\*(?!/)){0,40}$', ''), true);
  });

  const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const name of files) {
    const text = readFileSync(join(core, name), 'utf8');
    const literals = findRegexLiterals(text);
    if (literals.length > 0 || /\bRegExp\(/.test(text)) {
      it(relative('.', name), () => {
        assert.doesNotMatch(text, /\bRegExp\(/, 'build no pattern at run time');
        for (const { source, flags, line, isModuleConstant } of literals) {
          assert.ok(isModuleConstant, `line ${line}: make it a constant of the module`);
          assert.ok(
            isLinear(source, flags),
            `line ${line}: /${source}/${flags} is not linear: bound its repetitions, or let no two of them in a row match the same`,
          );
          assert.ok(
            isBoundedWork(source, flags),
            `line ${line}: /${source}/${flags} reads some texts in a great many ways: let a round of its loops match each text in one way only`,
          );
        }
      });
    }
  }
});

const proofs = new Map<string, boolean>();

/**
 * True when the checker proves that matching takes time linear in the length of the text. Patterns
 * share loops, and one may be its loop: each is proved once.
 */
function isLinear(source: string, flags: string): boolean {
  const key = `/${source}/${flags}`;
  const known = proofs.get(key);
  if (known !== undefined) return known;
  const result = checkSync(source, flags, { checker: 'automaton', timeout: 60_000 });
  const proved = result.status === 'safe' && !result.complexity.isFuzz;
  proofs.set(key, proved);
  return proved;
}

/**
 * True when no text makes the pattern's bounded loops try more than a few hundred ways for each
 * character. A pattern without unbounded repetitions is linear to the checker, whatever its factor:
 * `(?:a?,?,?){0,40}` takes years.
 */
function isBoundedWork(source: string, flags: string): boolean {
  const bare = flags.replace('y', '');
  const isDoubling = findLoops(source).some((loop) => !isLinear(`^${loop}*$`, bare));
  if (!isDoubling) return true;
  // Assertions may have excluded it, or bounds are so low that it comes to little: the work is counted.
  const result = checkSync(source, bare, {
    checker: 'fuzz',
    timeout: 60_000,
    attackLimit: stepsMax,
  });
  return (
    result.status === 'safe' ||
    (result.status === 'vulnerable' && result.attack.string.length >= charsMin)
  );
}

/** Steps of the checker's matcher, and the characters that have to cost less. */
const stepsMax = 400_000;
const charsMin = 1_000;
