import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRowFault, isStorageFault } from '../../src/storage/fault.ts';
import { postgresError } from '../../src/storage/postgres.ts';
import { StorageError } from '../../src/storage/storage-error.ts';

/** An error as `node:sqlite` throws it. */
const sqlite = (errcode: number) =>
  Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode });
const withCode = (code: string) => Object.assign(new Error('x'), { code });

/** Result codes, https://sqlite.org/rescode.html */
const faults = {
  ...{ abort: 4, busy: 5, locked: 6, nomem: 7, readonly: 8, interrupt: 9 },
  ...{ ioerr: 10, corrupt: 11, full: 13, cantopen: 14, 'ioerr, extended': 10 + (3 << 8) },
};
for (const [name, code] of Object.entries(faults)) {
  test(`SQLite: ${name} says that the database cannot be used`, () => {
    assert.ok(isStorageFault(sqlite(code)));
  });
}

for (const [name, code] of Object.entries({ error: 1, toobig: 18, constraint: 19, range: 25 })) {
  test(`SQLite: ${name} is a fault of the statement`, () => {
    assert.ok(!isStorageFault(sqlite(code)));
  });
}

test('PostgreSQL and the network: the connection, resources and operators', () => {
  for (const code of ['08006', '53300', '57P01', '58030', 'ECONNREFUSED', 'EPIPE', 'EAI_AGAIN']) {
    assert.ok(isStorageFault(withCode(code)), code);
  }
  for (const code of ['23505', '42601', 'ENOENT', 'ERR_X']) {
    assert.ok(!isStorageFault(withCode(code)), code);
  }
});

test('an error without a code is known by its text, another value is none', () => {
  assert.ok(isStorageFault(new Error('Connection terminated')));
  assert.ok(isStorageFault(new Error('Client has encountered an error and is not queryable')));
  assert.ok(!isStorageFault(new Error('something else')));
  assert.ok(isStorageFault(new StorageError('x')));
  for (const none of [undefined, 'Connection terminated', { code: '08006' }]) {
    assert.ok(!isStorageFault(none));
  }
});

test('an error of PostgreSQL comes with advice, and without the password', () => {
  const url = 'postgresql://ada:hush@db.test/shop';
  const messageOf = (code: string) => postgresError(url, withCode(code)).message;
  assert.match(messageOf('28P01'), /db\.test\/shop .*correct user and password/);
  assert.match(messageOf('XX000'), /see the log of PostgreSQL/);
  assert.doesNotMatch(messageOf('XX000'), /hush/);
});

test('a row that cannot be stored as it is: what is wrong with it, and no other code', () => {
  for (const code of [18, 19, 20, 19 + (5 << 8)]) assert.ok(isRowFault(sqlite(code)), `${code}`);
  for (const code of ['22001', '23505', '54000']) assert.ok(isRowFault(withCode(code)), code);
  for (const code of ['2350', '57P01', '22ABCD', '']) assert.ok(!isRowFault(withCode(code)), code);
  for (const error of [sqlite(5), sqlite(13), 'x']) assert.ok(!isRowFault(error));
});
