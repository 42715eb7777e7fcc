import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takesValue } from '../../../src/core/placement/field-role.ts';

describe('members that take a value and no sentence', () => {
  for (const [member, expected] of [
    ['host', true],
    ['body.file_name', true],
    ['user[email]', true],
    ['query.country', true],
    ['name', false],
    ['body.address', false],
    ['query.q', false],
    ['query.comment', false],
    ['query.utm_campaign', false],
    ['query.errmsg', false],
    ['user', false],
    ['query.s', false],
    ['header.host-info', false],
  ] as const) {
    it(`${member}: ${expected}`, () => assert.equal(takesValue(member), expected));
  }
});
