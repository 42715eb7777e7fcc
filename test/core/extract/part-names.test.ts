import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPartName, knownPartNames } from '../../../src/core/extract/part-names.ts';
import { ReusableSubject } from '../../../src/core/placement/subject.ts';
import { detectors } from '../../../src/core/rules/registry.ts';
import { type InCategory, judgedBy, type ValueRule } from '../../../src/core/rules/rule.ts';
import { compileRules, listTriggered } from '../../../src/core/rules/rule-set.ts';

describe('names of header fields', () => {
  it('are known whole, and in lower case only', () => {
    assert.ok(isPartName('header.user-agent'));
    for (const name of ['header.user-agent ', 'Header.User-Agent', 'user-agent', 'header.', '']) {
      assert.ok(!isPartName(name), name);
    }
  });

  it('hold nothing that a rule finds', () => {
    const rules = compileRules(detectors);
    const subject = new ReusableSubject();
    let asked = 0;
    for (const name of knownPartNames) {
      const scan = rules.prefilter.scan(name);
      Object.assign(subject, { text: name, classes: scan.classes, where: 'name', depth: 1 });
      subject.member = name;
      subject.reset();
      const triggered: InCategory<ValueRule>[] = [];
      listTriggered(rules, scan, 'name', triggered);
      for (const rule of triggered) {
        asked++;
        assert.equal(judgedBy(rule, subject), undefined, `${rule.id} finds something in ${name}`);
      }
    }
    assert.ok(asked > 0);
  });
});
