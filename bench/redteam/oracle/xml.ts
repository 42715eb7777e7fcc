import type { Context, Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

const order = '<order><id>7</id><note>Two cups &amp; a pot</note></order>';
const soap = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${order}</s:Body></s:Envelope>`;
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/><text>tea</text></svg>';

const contexts: readonly Context[] = [
  oneField('document', 'body.xml', order),
  oneField('document, expat', 'body.xml', order),
  oneField('document, huge', 'body.xml', order),
  oneField('document, inclusions', 'body.xml', order),
  oneField('SOAP envelope', 'body.xml', soap),
  oneField('SVG', 'body.image', svg),
  oneField('document, base64', 'body.file', Buffer.from(order).toString('base64')),
  // Pieces of documents that the server puts together.
  oneField('member of SOAP', 'body.order', order),
  oneField('text of an element', 'body.note', 'Two cups'),
  oneField('attribute', 'body.name', 'Green tea'),
  oneField('attribute, single quotes', 'body.name', 'Green tea'),
  oneField('comment', 'body.from', 'the shop'),
  oneField('CDATA', 'body.note', 'Two cups'),
  oneField('entity value', 'body.shop', 'Tea and more'),
];

/** Parsers with entities on: something is fetched, a file included, or a text grows without end. */
export const xml: Oracle = lineOracle({
  name: 'libxml2 and expat',
  category: 'xxe',
  language: 'xml',
  tools: ['python3', 'python3 -m lxml'],
  contexts,
  answerMs: 3000,
  ...runs.python('xml_documents.py'),
});
