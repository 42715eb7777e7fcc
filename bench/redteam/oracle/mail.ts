import type { Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

/** Messages and sessions of mail: another recipient, header, part or mail than was meant. */
export const mail: Oracle = lineOracle({
  name: 'mail',
  category: 'mailinj',
  language: 'mail',
  tools: ['python3'],
  contexts: [
    oneField('subject', 'body.subject', 'Is the green tea fresh?'),
    oneField('sender', 'body.email', 'alice@home.test'),
    {
      name: 'name and address of the sender',
      members: ['body.name', 'body.email'],
      benign: ['Alice', 'alice@home.test'],
    },
    oneField('recipient', 'body.email', 'alice@home.test'),
    oneField('name of the recipient', 'body.name', 'Alice'),
    oneField('reply to', 'body.email', 'alice@home.test'),
    oneField('additional header', 'body.order', '17-b'),
    oneField('part, header', 'body.title', 'My order'),
    oneField('part, text', 'body.message', 'When will the tea arrive?'),
    oneField('session, recipient', 'body.email', 'alice@home.test'),
    oneField('session, sender', 'body.email', 'alice@home.test'),
    oneField('session, text', 'body.message', 'When will the tea arrive?'),
    oneField('session, subject', 'body.subject', 'My order'),
  ],
  ...runs.python('mail.py'),
});
