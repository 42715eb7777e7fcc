import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../../../src/contract/policy.ts';
import { noContext } from '../../../../src/contract/request.ts';
import type { Finding } from '../../../../src/contract/verdict.ts';
import { createEngine } from '../../../../src/core/engine.ts';

const engine = createEngine();

function findingsOf(value: string): readonly Finding[] {
  const body = JSON.stringify({ value });
  const result = engine.screen({ body, context: noContext }, defaultPolicy);
  assert.equal(result.kind, 'verdict');
  return result.verdict.findings;
}

/** The evidence of one rule is exactly this part of the value. */
function check(value: string, rule: string, evidence: string): void {
  const finding = findingsOf(value).find((one) => one.rule === rule);
  assert.equal(finding?.evidence, evidence, `${rule} in ${JSON.stringify(value)}`);
  assert.equal(value.slice(finding?.span[0], finding?.span[1]), evidence);
}

function isBlocked(value: string): boolean {
  return findingsOf(value).some((one) => one.category === 'sqli' && one.score >= 70);
}

describe('sqli evidence', () => {
  it('runs from the quote to the comment', () => {
    check("' OR 1=1 --", 'sqli.tautology', "' OR 1=1 --");
    check("admin' or 'a'='a'#", 'sqli.tautology', "' or 'a'='a'#");
  });

  it('is the part that shows the attack, inside a longer text', () => {
    check("Dear all, see 7' union select 1,2 -- thanks", 'sqli.union', "' union select 1,2 --");
    check('1; drop table users--', 'sqli.stacked', '; drop table users');
    check(
      'x and extractvalue(1,concat(0x7e,user())) z',
      'sqli.error-based',
      'extractvalue(1,concat(0x7e,user()))',
    );
  });
});

describe('sqli evasions', () => {
  const spellings = [
    "'/**/or/**/1=1/**/--",
    "'\tOR\n1=1#",
    "'/*!50000or*/1=1-- -",
    "'-- x\nor-- y\n1=1--",
    "')) oR ((1)=(1)#",
    "'+or+1=1--+",
    "' || 0x31=0x31 -- ",
    "' or N'a'=N'a",
    "' or 'a' 'b'='ab",
    "' or 1.e1=1.e1 -- ",
    '" xor "1"like"1',
    '` or `a`=`a` -- ',
    "'or(1)=(1)and'1'='1",
    "\\' or 1=1 -- ",
  ];
  for (const text of spellings) {
    it(JSON.stringify(text), () => assert.ok(isBlocked(text)));
  }

  it('stay visible behind many harmless breaks', () => {
    const padding = "'a' or b, ".repeat(5_000);
    assert.ok(isBlocked(`${padding} ' or 1=1 -- `));
    assert.ok(isBlocked(`${padding} ' union select password from users -- `));
  });
});

describe('sqli and honest text', () => {
  const texts = [
    "x = 1 or x = 2; see $filter=Name eq 'Milk' and Price lt 2.55",
    "if [ 'a' = 'b' ] || [ 1 = 1 ]; then echo ok; fi",
    'df[(df["a"] > 1) & (df["b"] == "x")]',
    "C'est l'été ou l'hiver, l'un ou l'autre; l'union fait la force",
    "mysql_query($q) or die('x');",
    '=VLOOKUP(A2,Sheet1!A:B,2,FALSE)',
    'Order by 12/24 to get it; limit 2 per person -- having 1 = fine',
  ];
  for (const text of texts) {
    it(JSON.stringify(text), () => assert.ok(!isBlocked(text)));
  }
});
