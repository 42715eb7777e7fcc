import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlGrammar } from '../../bench/redteam/grammar/url.ts';
import { isInside } from '../../bench/redteam/oracle/urls/inside.ts';
import {
  curlUrl,
  goUrl,
  nodeUrl,
  pythonUrl,
  type UrlOracle,
} from '../../bench/redteam/oracle/urls/urls.ts';
import { urlRewriters } from '../../bench/redteam/rewrite/url.ts';
import { type Exploits, testOracle, testRewriters } from './laws.ts';

const common: Exploits = {
  whole: [['http://127.0.0.1/admin'], ['http://[::1]:8080/'], ['http://169.254.169.254/latest/']],
  host: [['localhost:6379/?'], ['metadata.google.internal']],
  'host and port': [['10.0.0.5:9200']],
  'path behind a host': [['.127.0.0.1.nip.io/']],
  'name before a domain': [['127.0.0.1/?'], ['192.168.0.1/#']],
  'begins with an address': [['https://hooks.example.com.10-0-0-1.nip.io/']],
  'ends with a name': [['http://127.0.0.1/#.example.com']],
  'contains a domain': [['http://127.0.0.1/?example.com']],
  'host by a regular expression': [['http://127.0.0.1#@www.example.com']],
  'forbidden words': [['http://[::ffff:7f00:2]/'], ['http://lvh.me/']],
};

/** What all of them have, and what this one reads in its own way. */
const withCommon = (own: Exploits): Exploits =>
  Object.fromEntries(
    Object.entries(common).map(([name, known]) => [name, [...known, ...(own[name] ?? [])]]),
  );

const user: Exploits = { 'path behind a host': [['@127.0.0.1/']] };
const known: readonly (readonly [UrlOracle, Exploits])[] = [
  [
    nodeUrl,
    {
      ...user,
      whole: [['http:\\\\127.0.0.1'], ['http://①②⑦.1']],
      'forbidden words': [['http://2130706433']],
    },
  ],
  [pythonUrl, { whole: [['file:///etc/passwd'], ['http://0x7f000001/'], ['ftp://10.0.0.1/x']] }],
  [
    curlUrl,
    {
      ...user,
      whole: [['gopher://127.0.0.1:6379/_x'], ['file:///etc/passwd'], ['http://0177.1/']],
    },
  ],
  [goUrl, user],
];

for (const [oracle, own] of known) testOracle(oracle, withCommon(own));

testRewriters(
  nodeUrl,
  urlGrammar,
  urlRewriters.filter(({ name }) => name !== 'zone in IPv6'),
);
testRewriters(
  pythonUrl,
  urlGrammar,
  urlRewriters.filter(({ name }) => name === 'zone in IPv6'),
);
testRewriters(
  curlUrl,
  urlGrammar,
  urlRewriters.filter(({ name }) => name === 'wide digits'),
);
testRewriters(
  goUrl,
  urlGrammar,
  urlRewriters.filter(({ name }) => name === 'mapped, dotted'),
);

test('addresses within and without', () => {
  const within = [
    ...['127.0.0.1', '127.255.0.3', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254'],
    ...['100.100.100.200', '0.0.0.0', '::1', '::', '[fe80::1%eth0]', 'fd00:ec2::254', 'LOCALHOST.'],
    ...['::ffff:10.0.0.1', '::127.0.0.1', '64:ff9b::a9fe:a9fe', '2002:7f00:1::', 'a.b.localhost'],
    ...['10.0.0.1.nip.io', 'x-192-168-0-1.nip.io', '7f000001.nip.io', 'a.lvh.me'],
  ];
  const without = [
    ...['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', 'example.com'],
    ...['64:ff9b::808:808', '2002:808:808::', '8.8.8.8.nip.io', 'localhost.example.com', ''],
  ];
  assert.deepEqual(
    within.filter((host) => !isInside(host)),
    [],
  );
  assert.deepEqual(without.filter(isInside), []);
});
