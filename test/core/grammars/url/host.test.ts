import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type HostKind,
  hostKindOf,
  isCredentialHost,
} from '../../../../src/core/grammars/url/host.ts';

function check(kind: HostKind, hosts: readonly string[]): void {
  for (const host of hosts) assert.equal(hostKindOf(host), kind, host);
}

describe('host', () => {
  it('knows the plain spellings', () => {
    check('loopback', ['localhost', '127.0.0.1', 'LOCALHOST']);
    check('private', ['10.0.0.1', '192.168.1.1', '172.16.0.1', '172.31.255.255', '[fd12::1]']);
    check('private', ['[fec0::1]', '[feff::1]', '198.19.0.1']);
    check('public', [
      'www.example.com',
      '203.0.113.9',
      '172.32.0.1',
      '[2001:db8::1]',
      '',
      '11.0.0.1',
      '198.20.0.1',
      '[2001::1]',
      '[5efe::7f00:1]',
    ]);
  });

  it('reads every form of a loopback address', () => {
    check('odd-loopback', [
      '127.1',
      '127.0.1',
      '0',
      '0.0.0.0',
      '2130706433',
      '0x7f000001',
      '0x7f.0.0.1',
      '0x7f.0x0.0x0.0x1',
      '017700000001',
      '0177.0.0.1',
      '127.000.000.001',
      '127.42.0.9',
      '127.0.0.1.',
      'localhost.',
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[64:ff9b:1::127.0.0.1]',
      '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
      '[2001:db8::200:5efe:127.0.0.1]',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      'ｌocalhost',
    ]);
  });

  it('reads every form of a metadata address', () => {
    check('metadata', [
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '0251.0376.0251.0376',
      '169.254.43518',
      '[::ffff:a9fe:a9fe]',
      '[fd00:ec2::254]',
      '[fe80::1%25eth0]',
      '100.100.100.200',
      'metadata.google.internal',
    ]);
  });

  it('marks other addresses in spellings for machines', () => {
    check('odd-private', ['0x0a000001', '167772161', '0300.0250.1.1', '[::ffff:10.0.0.9]']);
    check('odd-address', ['0xcb007109']);
    check('public', ['[::ffff:203.0.113.9]', '[2002:cb00:7109::]', '[64:ff9b::203.0.113.9]']);
  });

  it('knows names that lead inside', () => {
    check('rebinding', [
      '127.0.0.1.nip.io',
      'x.10-0-0-1.sslip.io',
      'shop-100.100.100.200.nip.io',
      '0a01ff02.nip.io',
      'localtest.me',
      'a.b.lvh.me',
      'lvh\u2060.me',
    ]);
    check('loopback', ['shop.localhost', 'a.b.localhost']);
    check('odd-loopback', ['shop.localho\u017ft']);
    check('catcher', ['abc.oastify.com', 'x.y.burpcollaborator.net']);
    check('internal', [
      'kubernetes.default.svc',
      'api.team.svc.cluster.local',
      'host.docker.internal',
    ]);
  });

  it('takes names with digits for names', () => {
    check('public', [
      '123movies.example',
      '1.2.3.4.example',
      '0x.example',
      '1.2.3.4.5',
      '256.1.1.1',
      '09.1.1.1',
      'app.203.0.113.5.nip.io',
      'cb007105.nip.io',
      'localhost.example.com',
      'notlocaltest.me',
      'a'.repeat(300),
    ]);
  });

  it('knows the hosts that hand out credentials from other link-local ones', () => {
    const addresses = ['169.254.169.254', '169.254.170.2', '0xa9fea9fe', '100.100.100.200'];
    const names = ['metadata.google.internal', 'METADATA.google.internal.', '１69.254.169.254'];
    const carried = ['[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[fd00:ec2:0::fe]'];
    for (const host of [...addresses, ...names, '[fd00:ec2::254]', ...carried]) {
      assert.equal(hostKindOf(host), 'metadata', host);
      assert.ok(isCredentialHost(host), host);
    }
    const linkLocal = ['[fe80::1]', '[FE90::1%25eth0]', '[febf:0:0:0::1]', '[::ffff:169.254.20.7]'];
    for (const host of ['169.254.20.7', '169.254.169.253', ...linkLocal, 'metadata']) {
      assert.equal(hostKindOf(host), 'metadata', host);
      assert.ok(!isCredentialHost(host), host);
    }
  });
});
