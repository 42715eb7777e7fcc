import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type CommandHead,
  firstWord,
  readHeads,
  readLineHeads,
} from '../../../../src/core/grammars/shell/shell.ts';
import { readArguments } from '../../../../src/core/grammars/shell/shell-arguments.ts';
import { wordTrait } from '../../../../src/core/grammars/shell/shell-character.ts';
import { resolvePath } from '../../../../src/core/grammars/shell/shell-fold.ts';
import { introducer } from '../../../../src/core/grammars/shell/shell-introducer.ts';

const lowerBetween = (text: string, start: number, end: number): string =>
  text.slice(start, end).toLowerCase();

/** All heads of a text. */
function headsOf(text: string): readonly CommandHead[] {
  const heads: CommandHead[] = [];
  const visit = (head: CommandHead): boolean => heads.push(head) > 0;
  readHeads(text, { nameBetween: lowerBetween, visit });
  return heads;
}

/** Heads as `introducer name`, with the words of each. */
function read(text: string): readonly (readonly [number, string, ...string[]])[] {
  return headsOf(text).map((head) => {
    const words = readArguments(text, head).words.map((word) => word.text);
    return [head.introducer, head.name, ...words] as const;
  });
}

function lastHead(text: string): CommandHead {
  const head = headsOf(text).at(-1);
  assert.ok(head !== undefined, `no head in ${text}`);
  return head;
}

describe('shell grammar: carriers', () => {
  it('reads each word once where the value of an option ends the text', () => {
    const names = headsOf('echo "date" | runuser --pty -u user').map(({ name }) => name);
    assert.deepEqual(names, ['echo', 'runuser']);
  });
  it('finds the command behind the value of an option that is no plain word', () => {
    for (const user of ['$USER', '"$USER"', '${A:-root}', "'a b'", '\\root']) {
      const names = headsOf(`a; sudo -u ${user} id`).map(({ name }) => name);
      assert.ok(names.includes('id'), `${user}: ${names}`);
    }
  });
});

describe('shell grammar: places of commands', () => {
  const { start, semicolon, pipe, ampersand, and, or, substitution, backtick, process } =
    introducer;
  const rows: readonly (readonly [text: string, heads: readonly (readonly unknown[])[]])[] = [
    [
      'a; id',
      [
        [start, 'a'],
        [semicolon, 'id'],
      ],
    ],
    [
      'a|id',
      [
        [start, 'a'],
        [pipe, 'id'],
      ],
    ],
    [
      'a || ls -l /x',
      [
        [start, 'a'],
        [or, 'ls', '-l', '/x'],
      ],
    ],
    [
      'a && b & c',
      [
        [start, 'a'],
        [and, 'b'],
        [ampersand, 'c'],
      ],
    ],
    ['$(id)', [[substitution, 'id']]],
    [
      'x`id`y',
      [
        [start, 'x'],
        [backtick, 'id'],
      ],
    ],
    [
      'cat <(ls)',
      [
        [start, 'cat'],
        [process, 'ls'],
      ],
    ],
    // A quote that nothing closes was opened by the application.
    ["'; id", [[semicolon, 'id']]],
    ['{cat,/etc/hosts}', [[start, 'cat', '/etc/hosts']]],
    [
      'x;{,,cat,/etc/hosts}',
      [
        [start, 'x'],
        [semicolon, 'cat', '/etc/hosts'],
      ],
    ],
    [
      'a;(id)',
      [
        [start, 'a'],
        [semicolon, 'id'],
      ],
    ],
    // Redirections are no separators and no arguments, HTML character references neither.
    ['a 2>&1', [[start, 'a']]],
    ['R&amp;D', [[start, 'r']]],
    ['it&#39;s', [[start, 'it']]],
    ['```sh```', []],
  ];
  for (const [text, heads] of rows) {
    it(text, () => assert.deepEqual(read(text), heads));
  }

  it('reads the command after a line break on demand', () => {
    const nameBetween = (text: string, from: number, to: number) =>
      text.slice(from, to) === 'id' ? 'id' : '';
    assert.equal(readLineHeads('a\nid -u', 1, nameBetween)[0]?.name, 'id');
    assert.deepEqual(readLineHeads('a\nif -u', 1, nameBetween), []);
    assert.deepEqual(readLineHeads('a\n', 1, nameBetween), []);
  });

  it('finds the first word behind quotes', () => {
    assert.deepEqual(firstWord(' "cat x'), { start: 2, end: 5 });
    assert.deepEqual(firstWord(''), { start: 0, end: 0 });
  });
});

describe('shell grammar: words', () => {
  const { split, caret, quoted, assembled, glob, braced, call, ifs, own, defaulted, expansion } =
    wordTrait;
  const rows: readonly (readonly [text: string, name: string, traits: number])[] = [
    [";c''at", 'cat', split],
    [';c"a"t', 'cat', split],
    [';"cat"', 'cat', quoted],
    [';c\\at', 'cat', split],
    [';ca\\\nt', 'cat', split],
    [';w$@hoami', 'whoami', split],
    [';wh$()oami', 'whoami', split],
    [';wh``oami', 'whoami', split],
    [';t^ype', 'type', caret],
    [';x=c;y=at;$x$y', 'cat', assembled | own],
    [';x=qcat;${x#q}', 'cat', assembled | own],
    [';x=qcat;${x:1}', 'cat', assembled | own],
    [';x=cqqat;${x/qq/}', 'cat', assembled | own],
    [';x=CAT;${x,,}', 'cat', assembled | own],
    [';x=cat;y=x;${!y}', 'cat', assembled | own],
    [';x=(cat /x);${x[0]}', 'cat', assembled | own],
    [';set -- cat /x;"$@"', 'cat /x', quoted | assembled | own],
    [';alias a=cat;a', 'cat', assembled | own],
    [';c${x}at', 'cat', split],
    [';c${x+y}at', 'cat', split],
    [';c"${x}"at', 'cat', split | expansion],
    [';${x:-cat}', 'cat', defaulted],
    [';${x:-${y:-cat}}', 'cat', defaulted],
    [';${x}', '${x}', expansion],
    [";$'\\x63\\141t'", 'cat', split],
    [';$(echo tac|rev)', 'cat', assembled],
    [";$(printf '\\143at')", 'cat', assembled],
    [';$(echo Y2F0|base64 -d)', 'cat', assembled],
    [';$(echo 636174|xxd -r -p)', 'cat', assembled],
    [';$(echo CAT|tr A-Z a-z)', 'cat', assembled],
    [';$(echo cxat|sed s/x//)', 'cat', assembled],
    [';$(echo x:cat|cut -d: -f2-)', 'cat', assembled],
    [';$(which cat)', 'cat', assembled],
    [';`echo cat`', 'cat', assembled],
    [';${PWD%${PWD#?}}bin', '/bin', assembled],
    [';${PATH:0:1}bin', '/bin', assembled],
    [';/b?n/cat', '/b?n/cat', glob],
    [';{id,-u}', 'id', braced],
    [';exec("x")', 'exec', call],
    [';cat$IFS/x', 'cat', ifs],
    [';cat${IFS}/x', 'cat', ifs],
    [';C:\\dir\\x.exe', 'c:\\dir\\x.exe', 0],
    [';5 ^ 3', '5', 0],
  ];
  for (const [text, name, traits] of rows) {
    it(JSON.stringify(text), () => {
      // Those within a substitution are heads, too.
      const head = headsOf(text).findLast((one) => one.introducer === introducer.semicolon);
      assert.ok(head !== undefined);
      assert.deepEqual([head.name, head.traits], [name, traits]);
    });
  }

  it('reads no further ahead than its budget', () => {
    const text = `;${'${a:-$(echo '.repeat(20_000)}`;
    assert.ok(headsOf(text).length <= 20_001);
  });

  it('does not let a variable that is made of itself grow', () => {
    const text = `a=xxxxxxxx;${'a=$a$a;'.repeat(60)}$a`;
    assert.ok(lastHead(text).name.length <= 64);
  });
});

describe('shell grammar: what stands in front of a name', () => {
  const rows: readonly (readonly [text: string, names: readonly string[], structured: boolean])[] =
    [
      ['x;2>&1 id', ['x', 'id'], true],
      ['x;</dev/null id', ['x', 'id'], true],
      ['x;! id', ['x', 'id'], true],
      ['x;{ id;}', ['x', 'id', '}'], true],
      ['x;for a in b;do id;done', ['x', 'id', 'done'], true],
      ['x;while id;do y;done', ['x', 'id', 'y', 'done'], true],
      ['x;while id', ['x', 'id'], false],
      ['x;if id;then y;fi', ['x', 'id', 'y', 'fi'], true],
      ['x;case a in *)id;;esac', ['x', 'id', 'esac'], true],
      ['x;f(){ id;};f', ['x', 'id', '}', 'f'], true],
      ['x;f()(id);f', ['x', 'id', 'f'], true],
      ['x;# a comment\nid', ['x', 'id'], false],
      ['x;a=1 id', ['x', 'a=1', 'id'], false],
      ['x;nohup -- id', ['x', 'nohup', 'id'], true],
      ['x;timeout 5 id', ['x', 'timeout', 'id'], true],
      ['x;env a=1 nice -n 5 id', ['x', 'env', 'nice', 'id'], true],
      ["x;sh -c 'id'", ['x', 'sh', 'id'], true],
      ["x;trap 'id' EXIT", ['x', 'trap', 'id'], true],
      ['x;find . -exec id {} +', ['x', 'find', 'id'], true],
      ['x;then id', ['x', 'id'], false],
      // The words of a query string are no script.
      ['?a=1&b=2 id', ['?a=1', 'b=2'], false],
    ];
  for (const [text, names, structured] of rows) {
    it(JSON.stringify(text), () => {
      const heads = headsOf(text);
      assert.deepEqual(
        heads.map((head) => head.name),
        names,
      );
      const traits = heads.find((head) => head.name === 'id')?.traits ?? 0;
      assert.equal((traits & wordTrait.structured) !== 0, structured);
    });
  }

  it('reads the lines behind the end of a here-document', () => {
    const last = lastHead('Hello.\nEOF\nid');
    assert.equal(last.name, 'id');
    assert.equal(last.traits & wordTrait.structured, wordTrait.structured);
    assert.equal(lastHead('cat <<EOF\nHello.\nEOF\nid').traits & wordTrait.structured, 0);
  });
});

describe('shell grammar: paths', () => {
  const rows: readonly (readonly [word: string, path: string])[] = [
    ['/bin/../bin/./id', '/bin/id'],
    ['/b?n/id', '/bin/id'],
    ['/*/bin/i?', '/usr/bin/i?'],
    ['~/../../bin/kill', '/bin/kill'],
    ['../../../etc//passwd', '/etc/passwd'],
    ['./run', './run'],
    ['a/b', 'a/b'],
    ['/???/c', '/bin/c'],
  ];
  for (const [word, path] of rows) it(word, () => assert.equal(resolvePath(word), path));
});

describe('shell grammar: arguments', () => {
  it('takes an arithmetic expansion of numbers for a number', () => {
    assert.deepEqual(read(';sleep $((0x5)) a')[0], [introducer.semicolon, 'sleep', '1', 'a']);
  });

  it('sees redirections and substitutions', () => {
    assert.equal(readArguments(';id>/tmp/x', lastHead(';id>/tmp/x')).redirect, true);
    assert.equal(readArguments(';a -> b', lastHead(';a -> b')).redirect, false);
    const text = 'echo $(';
    assert.equal(readArguments(text, lastHead(text)).substitution, true);
  });

  it('takes a quoted string as one word, and a quote after a word as the end', () => {
    assert.deepEqual(read(';sh -c "id; ls" x').at(0)?.slice(1), ['sh', '-c', 'id; ls', 'x']);
    assert.deepEqual(read('; bash" width="5"').at(0)?.slice(1), ['bash']);
  });

  it('stops at a comment', () => {
    assert.deepEqual(read(';id # x')[0]?.slice(1), ['id']);
    assert.deepEqual(read(';id -- x')[0]?.slice(1), ['id']);
  });

  it('reads no further than its bounds', () => {
    const text = `;ls ${'a '.repeat(5_000)}`;
    assert.ok(readArguments(text, lastHead(text)).words.length <= 64);
  });
});

describe('shell grammar: visiting heads', () => {
  it('asks about plain words, and skips those that are unknown', () => {
    const asked: string[] = [];
    const names: string[] = [];
    const nameBetween = (text: string, start: number, end: number): string => {
      const name = text.slice(start, end);
      return asked.push(name) > 0 && name === 'Three' ? 'three' : '';
    };
    const isComplete = readHeads("one; two; i'd'; Three four", {
      nameBetween,
      visit: (head) => names.push(head.name) > 0,
    });
    assert.deepEqual([...new Set(asked)], ['one', 'two', 'Three']);
    assert.deepEqual(names, ['id', 'three']);
    assert.equal(isComplete, true);
  });

  it('skips a quotation of several words that begins with no command', () => {
    const names = (text: string) => {
      const seen: string[] = [];
      const visit = ({ name }: { readonly name: string }) => seen.push(name) > 0;
      const nameBetween = (whole: string, start: number, end: number) => {
        const word = whole.slice(start, end);
        return word === 'id' || word === 'sleep' ? word : '';
      };
      readHeads(text, { nameBetween, visit });
      return seen;
    };
    assert.deepEqual(names('; "too thin, I think"'), []);
    assert.deepEqual(names('; "too thin; id"'), ['id']);
    assert.deepEqual(names('; id" and more'), ['id']);
    assert.deepEqual(names("'sleep 5'"), ['sleep']);
  });

  it('stops when the visitor has enough, and says so', () => {
    let visits = 0;
    const visitor = { nameBetween: lowerBetween, visit: () => ++visits < 2 };
    assert.equal(readHeads('a;b;c;d', visitor), false);
    assert.equal(visits, 2);
  });

  it('marks a word that is called', () => {
    assert.equal(lastHead('x;id(1)').traits & wordTrait.call, wordTrait.call);
  });
});

describe('shell grammar: redirections', () => {
  const rows: readonly (readonly [text: string, redirect: boolean, sure: boolean])[] = [
    ['cat</etc/hosts', true, true],
    ['cat <./a', true, true],
    ['id >a.txt', true, true],
    ['id 2>&1', true, true],
    ["rev<<<'di'", true, true],
    ['cp>2I!B7', true, false],
    ['more</p>', false, false],
    ['. <b>x</b>', false, false],
    ['now <a href="x">', false, false],
  ];
  for (const [text, redirect, sure] of rows) {
    it(text, () => {
      const given = readArguments(text, lastHead(text));
      assert.deepEqual([given.redirect, given.sureRedirect], [redirect, sure]);
    });
  }
});
