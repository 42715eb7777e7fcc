import { behindBreak, type Line, lineGrammar } from '../../grammars/http/lines.ts';
import { confidence } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A delimiter of RFC 2046, 5.1.1, and fields of a part behind it: the text of a mail gets an attachment. */
export const partBoundary: ValueRule = {
  id: 'mailinj.part-boundary',
  score: confidence.likely,
  message: 'ends the part of a mail that it is put into and begins one of its own',
  trigger: {
    classes: charClass.lineBreak | charClass.colon | charClass.dash,
    literals: [behindBreak(['--'])],
  },
  examples: [
    { body: { message: 'Hi\n--b1\nContent-Type: text/html\n\n<b>you won</b>' } },
    { body: { message: 'Hi\n--b1\nX-added: 9\nContent-Type:\n text/html\n\n<b>you won</b>' } },
    'order 17\r\n\r\n--b1\r\nContent-Type: application/zip\r\nContent-Disposition: attachment; filename="a.zip"\r\n\r\nx',
  ],
  lookalikes: [
    'Dear all,\n--\nAnna Smith\nSales: +49 30 1234',
    '--b1\nContent-Type: text/html\n\n<b>hi</b>\n--b1--',
    'This is what arrives:\n\n--b1\nContent-Type: text/html\n\n<b>hi</b>\n--b1--',
    'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b1\n\n--b1\nContent-Type: text/html\n\nhi',
    'Dear all,\n--\nTel: 030 1234\nContent-Type: of this mail',
    'The options are\n--type\nContent-Type: of the answer',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    const { lines } = subject.tokens(lineGrammar);
    if (text.startsWith('--') || multipart.test(text)) return undefined;
    for (const [index, line] of lines.entries()) {
      if (!isDelimiter(text, line) || !isPart(text, lines, index + 1)) continue;
      // A part that is shown is shown to its end.
      const isClosed = text.includes(`${text.slice(line.start, line.end).trimEnd()}--`, line.end);
      return isClosed ? undefined : { start: line.breakStart, end: line.end };
    }
    return undefined;
  },
};

const multipart = /multipart\//i;
const delimiter = /^--[\w'()+,./:=?-]{1,70}\s{0,4}$/;

function isDelimiter(text: string, { start, end }: Line): boolean {
  return end - start <= 80 && delimiter.test(text.slice(start, end));
}

/** The head of a part: fields in any order, one of them its type. */
function isPart(text: string, lines: readonly Line[], from: number): boolean {
  for (let index = from; index < from + headLinesMax; index++) {
    const line = lines[index];
    if (line === undefined || line.afterBlank || line.field === '') return false;
    if (line.field !== 'content-type') continue;
    return mediaType.test(text.slice(line.valueStart, Math.min(line.end, line.valueStart + 60)));
  }
  return false;
}

const headLinesMax = 12;
const mediaType = /^(?:text|image|audio|video|application|message)\/[\w.+-]/i;
