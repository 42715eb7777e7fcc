import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../../../src/contract/limits.ts';
import { type PathWord, pathGrammar, plainPath } from '../../../../src/core/grammars/path/path.ts';
import { placeOf } from '../../../../src/core/placement/path-place.ts';
import { charClass } from '../../../../src/core/text/char-class.ts';

function wordsOf(text: string): readonly PathWord[] {
  return pathGrammar.read(text).words;
}

function wordOf(text: string): PathWord {
  const [word] = wordsOf(text);
  assert.ok(word, `no path in ${JSON.stringify(text)}`);
  return word;
}

/** Rows of text, steps up, levels above the start, and the plain path behind the steps. */
function checkClimbs(rows: readonly (readonly [string, number, number, string])[]): void {
  for (const [text, climbs, above, rest] of rows) {
    const word = wordOf(text);
    assert.deepEqual([word.climbs, word.above, plainPath(text, word)], [climbs, above, rest], text);
  }
}

describe('path', () => {
  it('walks the segments', () => {
    checkClimbs([
      ['../x', 1, 1, 'x'],
      ['../../etc/hosts', 2, 2, 'etc/hosts'],
      ['a/b/../c', 1, 0, 'c'],
      ['a/../../c', 2, 1, 'c'],
      ['/static/../../x', 2, 1, 'x'],
      ['./.././x', 1, 1, './x'],
      ['..\\..\\Windows\\Win.ini', 2, 2, 'windows/win.ini'],
      ['..\\/..\\/x', 2, 2, '/x'],
      ['../..', 2, 2, ''],
    ]);
  });

  it('reads spellings that no decoder undoes', () => {
    checkClimbs([
      ['0x2e0x2e0x2fx', 1, 1, 'x'],
      ['..%c0%qfx', 1, 1, 'x'],
      ['..%bg%qfx', 1, 1, 'x'],
      ['%c0%ae%c0%ae%c0%afx', 1, 1, 'x'],
      ['%c0.%c0.%c1%9cx', 1, 1, 'x'],
      ['..%f8%80%80%80%afx', 1, 1, 'x'],
      ['%%32%65%%32%65%%32%66x', 1, 1, 'x'],
      ['.?/x', 1, 1, 'x'],
      ['??%c0%afx', 1, 1, 'x'],
      ['.%00./x', 1, 1, 'x'],
      ['..%01/x', 1, 1, 'x'],
      ['..2f..2fx', 2, 2, 'x'],
      ['....//x', 1, 1, 'x'],
      ['..././x', 1, 1, 'x'],
    ]);
    for (const text of ['0x2e0x2e/x', '....//x', '..././x', '..%c0%afx', '.%00./x', '%2e%2e/x']) {
      assert.equal(wordOf(text).disguised, true, text);
    }
  });

  it('takes a separator that is percent-encoded once for an honest one', () => {
    const word = wordOf('..%2fx');
    assert.deepEqual([word.climbs, word.disguised], [1, false]);
  });

  it('sees no step in ellipses, numbers and versions', () => {
    for (const text of ['wait.../then', '3..2/4', 'a/b', '1.2.3/x', 'maybe..2for1/x', 'Hm..?/no']) {
      const words = wordsOf(text);
      assert.deepEqual(
        words.map((word) => word.climbs),
        words.map(() => 0),
        text,
      );
    }
    assert.equal(wordOf('/.../x').wide, 1);
  });

  it('sees the parameter of a servlet path', () => {
    const word = wordOf('/app/..;a=1/manager');
    assert.deepEqual([word.params, word.climbs, word.above], [true, 1, 0]);
    assert.equal(wordOf('a/b;c/d').params, false);
  });

  it('cuts at white space, quotes and the marks of a query', () => {
    const text = 'see a/b "c/d" ?e=f/g&h=i/j';
    assert.deepEqual(
      wordsOf(text).map((word) => text.slice(word.start, word.end)),
      ['a/b', 'c/d', 'f/g', 'i/j'],
    );
  });

  it('knows what is absolute and what is a URL', () => {
    assert.equal(wordOf('/etc/x').absolute, true);
    assert.equal(wordOf('C:\\x').absolute, true);
    assert.equal(plainPath('C:\\X\\.\\y', wordOf('C:\\X\\.\\y'), 0), '/x/y');
    assert.equal(wordOf('a/x').absolute, false);
    assert.equal(wordOf('https://www.example.com/x').url, true);
    assert.equal(wordOf('file:///etc/x').url, false);
    assert.equal(
      plainPath('C:\\Program Files\\x', wordOf('C:\\Program Files\\x'), 0),
      '/program files/x',
    );
  });

  it('finds a null byte behind a name', () => {
    assert.equal(wordOf('/a/b\u0000.jpg').nul, 4);
    assert.equal(wordOf('/a/b%00').nul, 4);
    assert.equal(wordOf('/a/b').nul, -1);
  });

  it('tells where a path stands', () => {
    const spaces = charClass.space;
    const place = (text: string, index = 0): string => {
      const word = wordsOf(text)[index];
      assert.ok(word);
      return placeOf(text, text.includes(' ') ? spaces : 0, word);
    };
    assert.equal(place('../x'), 'whole');
    assert.equal(place(' ../x '), 'whole');
    assert.equal(place('"../x"'), 'whole');
    assert.equal(place('../x#a b'), 'whole');
    assert.equal(place('../x?a b'), 'whole');
    assert.equal(place('../x? So it is'), 'prose');
    assert.equal(place('../x?! So it is'), 'prose');
    assert.equal(place('go to ../x#a b'), 'prose');
    assert.equal(place('/a.php?b=../x', 1), 'parameter');
    assert.equal(place('go to ../x now'), 'prose');
    assert.equal(place('see [this](../x)'), 'quoted');
    assert.equal(place('<code>/etc/x</code>'), 'quoted');
    assert.equal(place('<fileName>/etc/x</fileName>'), 'whole');
  });

  it('stops at the limit and says so', () => {
    const reading = pathGrammar.read('a/b '.repeat(limits.tokensMax + 5));
    assert.deepEqual([reading.complete, reading.words.length], [false, limits.tokensMax]);
  });
});
