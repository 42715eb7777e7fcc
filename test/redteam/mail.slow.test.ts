import { mail as grammar } from '../../bench/redteam/grammar/mail.ts';
import { mail } from '../../bench/redteam/oracle/mail.ts';
import { mailRewriters } from '../../bench/redteam/rewrite/mail.ts';
import { testOracle, testRewriters } from './laws.ts';

const bcc = '\r\nBcc: victim@other.test';
const second =
  '\r\n.\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<victim@other.test>\r\nDATA\r\nspam\r\n.\r\n';

testOracle(mail, {
  subject: [[`hello${bcc}`], ['hello\n\nspam'], ['hello\r\nContent-Type: text/html\r\n\r\n<b>']],
  sender: [[`a@b.test${bcc}`]],
  'name and address of the sender': [
    ['Alice', `a@b.test>${bcc}`],
    [`Alice${bcc}\r\nX-A: `, 'a@b.test'],
  ],
  recipient: [['a@b.test, victim@other.test'], [`a@b.test${bcc}`]],
  'name of the recipient': [[`a" <a@b.test>${bcc}\r\nX-A: "`]],
  'reply to': [[`a@b.test${bcc}`]],
  'additional header': [[`1${bcc}`]],
  'part, header': [['x\r\n\r\n--b1\r\nContent-Type: text/html\r\n\r\n<b>']],
  'part, text': [['x\r\n--b1\r\nContent-Type: text/html\r\n\r\n<b>']],
  'session, recipient': [['a@b.test>\r\nRCPT TO:<victim@other.test']],
  'session, sender': [['a@b.test>\r\nRCPT TO:<victim@other.test']],
  'session, text': [[`x${second}`]],
  'session, subject': [[`x${second}`]],
});

testRewriters(mail, grammar, mailRewriters);
