import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../../src/contract/notification.ts';
import { type ChannelState, compose, freshState } from '../../src/notifications/compose.ts';
import { isHeard } from '../../src/notifications/hears.ts';
import { isQuietAt } from '../../src/notifications/quiet-hours.ts';
import { Tallies, type Tally } from '../../src/notifications/tallies.ts';
import { seal, unseal } from '../../src/storage/seal.ts';
import { storedEvent } from '../support/stored-event.ts';
import { channelOf, tallyOf } from './fixture.ts';

const minute = 60_000;
const day = Date.parse('2026-03-10T00:00:00Z');

function made(
  channel: Partial<Channel>,
  tallies: readonly Tally[],
  { now, state = freshState }: { readonly now: number; readonly state?: ChannelState },
) {
  return compose({ channel: channelOf(channel), tallies, state, now });
}

test('without a threshold the first event is sent at once, and further ones together', () => {
  const first = made({}, [tallyOf(day)], { now: day + 1 });
  assert.equal(first.message?.kind, 'alert');
  const soon = made({}, [tallyOf(day + 1_000)], { now: day + 5_000, state: first.state });
  assert.equal(soon.message, undefined);
  const later = [tallyOf(day + 1_000), tallyOf(day + 9_000)];
  const second = made({}, later, { now: day + 10_001, state: first.state });
  assert.deepEqual(second.message?.tallies, later);
});

test('a threshold counts one client, in any span of its length, and then waits for it', () => {
  const threshold = { count: 5, minutes: 2, per: 'client' } as const;
  const others = Array.from({ length: 9 }, (_, index) =>
    tallyOf(day + index, { client: `192.0.2.${index}` }),
  );
  const few = [...others, tallyOf(day, { events: 4 })];
  assert.equal(made({ threshold }, few, { now: day }).message, undefined);
  const spread = [tallyOf(day, { events: 3 }), tallyOf(day + 2 * minute, { events: 3 })];
  assert.equal(made({ threshold }, spread, { now: day + 2 * minute }).message, undefined);
  const burst = [...others, tallyOf(day, { events: 3 }), tallyOf(day + minute, { events: 3 })];
  const now = day + minute;
  const { message, state } = made({ threshold }, burst, { now });
  assert.deepEqual(message?.reached, [{ value: '203.0.113.9', count: 6 }]);
  assert.equal(message?.tallies.length, 2, 'those below the threshold stay');
  const again = [tallyOf(now + 1, { events: 50 })];
  assert.equal(made({ threshold }, again, { now: now + minute, state }).message, undefined);
  const after = made({ threshold }, again, { now: now + 2 * minute + 1, state });
  assert.deepEqual(after.message?.reached, [{ value: '203.0.113.9', count: 50 }]);
  const forgotten = made({ threshold }, few, { now: day + 3 * minute }).forgotten;
  assert.equal(forgotten.length, few.length);
});

test('clients without an address are not one client, and odd names are no members of objects', () => {
  const threshold = { count: 2, minutes: 1, per: 'client' } as const;
  const unknown = [tallyOf(day, { client: '', events: 99 })];
  assert.equal(made({ threshold }, unknown, { now: day }).message, undefined);
  const odd = [tallyOf(day, { client: '__proto__', events: 2 })];
  const { message, state } = made({ threshold }, odd, { now: day });
  assert.equal(message?.tallies.length, 1);
  const stored = JSON.parse(JSON.stringify(state)) as ChannelState;
  assert.equal(made({ threshold }, odd, { now: day, state: stored }).message, undefined);
  const perRule = { ...threshold, per: 'rule' } as const;
  const many = ['1', '2'].map((client) => tallyOf(day, { client }));
  assert.deepEqual(made({ threshold: perRule }, many, { now: day }).message?.reached, [
    { value: 'sqli.union', count: 2 },
  ]);
});

test('a digest waits until its oldest event is as old as the interval', () => {
  const tallies = [tallyOf(day), tallyOf(day + 29 * minute)];
  const digest = { digestMinutes: 30 };
  assert.equal(made(digest, tallies, { now: day + 30 * minute - 1 }).message, undefined);
  const { message } = made(digest, tallies, { now: day + 30 * minute });
  assert.deepEqual([message?.kind, message?.tallies.length], ['digest', 2]);
});

test('quiet hours hold messages back for one digest at their end, but not critical ones', () => {
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'UTC', exceptCritical: true };
  const night = day + 23 * 60 * minute;
  const tallies = [tallyOf(night), tallyOf(night, { severity: 'critical' })];
  const held = made({ quietHours, digestMinutes: 0 }, tallies, { now: night });
  assert.deepEqual(
    held.message?.tallies.map(({ kind }) => kind.severity),
    ['critical'],
  );
  assert.equal(held.state.isHolding, true);
  const all = { ...quietHours, exceptCritical: false };
  assert.equal(made({ quietHours: all }, tallies, { now: night }).message, undefined);
  const early = tallyOf(night + 7 * 60 * minute);
  const morning = { now: day + 31 * 60 * minute, state: held.state };
  const { message, state } = made(
    { quietHours, digestMinutes: 60 },
    [tallyOf(night), early],
    morning,
  );
  assert.deepEqual([message?.kind, message?.tallies.length], ['held', 2]);
  assert.equal(state.isHolding, false);
});

test('quiet hours follow the clock on the wall, over midnight and summer time', () => {
  const berlin = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', exceptCritical: false };
  const at = (iso: string, quiet = berlin) => isQuietAt(quiet, Date.parse(iso));
  assert.deepEqual(
    [at('2026-01-10T20:59:00Z'), at('2026-01-10T21:00:00Z'), at('2026-01-11T05:59:00Z')],
    [false, true, true],
  );
  assert.equal(at('2026-01-11T06:00:00Z'), false);
  assert.deepEqual([at('2026-07-10T20:00:00Z'), at('2026-07-11T05:00:00Z')], [true, false]);
  const noon = { ...berlin, from: '12:00', to: '13:00' };
  assert.deepEqual(
    [at('2026-01-10T11:30:00Z', noon), at('2026-01-10T12:00:00Z', noon)],
    [true, false],
  );
});

test('a channel hears what it asked for', () => {
  const event = storedEvent({ at: day, number: 1 }, { severity: 'medium', policyId: 'shop' });
  const { hears } = channelOf();
  const heard = (change: object, of = event) => isHeard({ ...hears, ...change }, of);
  assert.ok(heard({}));
  assert.ok(heard({ severity: 'medium', policies: ['shop'], categories: ['sqli', 'xss'] }));
  assert.ok(!heard({ severity: 'high' }));
  assert.ok(!heard({ policies: ['default'] }));
  assert.ok(!heard({ categories: ['xss'] }));
  const watched = { ...event, decision: 'would-block' } as const;
  assert.deepEqual([heard({}, watched), heard({ monitored: true }, watched)], [false, true]);
});

test('a flood of clients is counted in bounded memory, and none of it is lost', () => {
  const tallies = new Tallies((id) => id);
  const channels = [channelOf(), channelOf({ id: 'c2', isPaused: true })];
  const count = 5_000;
  for (let number = 0; number < count; number += 1) {
    tallies.add(storedEvent({ at: day, number }, { client: `client ${number}` }), channels);
  }
  assert.ok(tallies.size <= 501, `${tallies.size}`);
  const taken = tallies.take();
  assert.equal(
    taken.reduce((sum, { events }) => sum + events, 0),
    count,
  );
  tallies.putBack(taken);
  tallies.add(storedEvent({ at: day, number: 1 }, { client: 'client 1' }), channels);
  const again = tallies.take();
  assert.equal(again.length, taken.length);
  assert.ok(!JSON.stringify(again).includes('requestId'), 'what is kept is one line of an event');
});

test('secrets are sealed for one row and one pepper', () => {
  const key = Buffer.alloc(32, 1);
  const sealed = seal('hush', key, 'c1');
  assert.notEqual(sealed, seal('hush', key, 'c1'));
  assert.equal(unseal(sealed, key, 'c1'), 'hush');
  assert.equal(unseal(sealed, key, 'c2'), undefined);
  assert.equal(unseal(sealed, Buffer.alloc(32, 2), 'c1'), undefined);
  assert.equal(unseal(`A${sealed.slice(1)}`, key, 'c1') === 'hush', sealed.startsWith('A'));
  assert.equal(unseal('', key, 'c1'), undefined);
});
