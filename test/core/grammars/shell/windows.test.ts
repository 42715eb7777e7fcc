import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchEnd } from '../../../../src/core/grammars/shell/batch.ts';
import { powershellEnd } from '../../../../src/core/grammars/shell/powershell.ts';

const apart = { isPiped: false, isFed: false, mayCall: true, mayEscape: true };

/** Each text and how much of it is read as a statement. */
function check(read: (text: string) => number, rows: readonly (readonly [string, string])[]): void {
  for (const [text, statement] of rows) assert.equal(text.slice(0, read(text)), statement, text);
}

describe('statements of Windows', () => {
  it('reads cmdlets, also with escapes, in parentheses and behind an assignment', () => {
    check(
      (text) => powershellEnd(text, 0, apart),
      [
        ['Get-Process a', 'Get-Process'],
        ['G`et-Pro`cess a', 'G`et-Pro`cess'],
        ['(Get-Process).Name', '(Get-Process'],
        ['$a = Get-Item x', '$a = Get-Item'],
        ['get-together', ''],
        ['Get-Process hangs on SRV02', ''],
        ['Get-ADUser returns nothing', ''],
        ['Get-ChildItem users docs', 'Get-ChildItem'],
      ],
    );
  });

  it('reads aliases with what no word has behind it', () => {
    check(
      (text) => powershellEnd(text, 0, apart),
      [
        ['gci C:\\a', 'gci C:\\'],
        ['gc web.config', 'gc web.config'],
        ['cmd @a', 'cmd @a'],
        ['gc and more', ''],
        ['cmd @anna writes', ''],
        ['wh`oami', 'wh`oami'],
      ],
    );
  });

  it('reads calls, blocks and types', () => {
    check(
      (text) => powershellEnd(text, 0, apart),
      [
        ['&("who"+"ami")', '&("who"+'],
        ['& $a', '& $a'],
        ['. whoami', '. whoami'],
        ['if(1){whoami}', 'if(1){whoami'],
        ['function f{whoami}', 'function f{whoami'],
        ['[IO.File]::ReadAllText', '[IO.File]::Re'],
        ['if(a){return}', ''],
        ['&(g, b)', ''],
        ['& pepper', ''],
        ['[the second](a)', ''],
      ],
    );
    assert.equal(powershellEnd('iex', 0, { ...apart, isPiped: true, isFed: true }), 3);
    assert.equal(powershellEnd('iex', 0, { ...apart, isPiped: true }), 0);
    const printer = 'Printer; ';
    const script = '\\\\203.0.113.5\\s\\a.cmd';
    assert.equal(powershellEnd(printer + script, 9, apart), 9 + script.length);
    assert.equal(powershellEnd(`${printer}\\\\srv01\\s\\a.cmd`, 9, apart), 0);
    assert.equal(powershellEnd('iex', 0, apart), 0);
  });

  it('reads statements of cmd.exe by their arguments', () => {
    check(
      (text) => batchEnd(text, 0),
      [
        ['for %i in (1 2) do whoami', 'for %i in (1 2) do w'],
        ['query user', 'query user'],
        ['query users', ''],
        ['mklink a b', 'mklink a b'],
        ['regedit', 'regedit'],
        ['tree of life', ''],
      ],
    );
    assert.equal(batchEnd('Help; regedit', 6), 0);
  });
});
