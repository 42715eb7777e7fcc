import { confidence } from '../../placement/confidence.ts';
import { isFileName } from '../../placement/member.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** What Windows starts, by the end of its name. */
const programs: readonly string[] = wordList(
  'exe scr pif bat cmd vbs vbe js jse hta lnk msi ps1 cpl',
);

/** `invoice.pdf.exe`, `me<U+202E>gnp.exe`: what Windows starts, under a name that looks otherwise. */
export const disguisedProgram: ValueRule = {
  id: 'other.disguised-program',
  cwe: 'CWE-451',
  score: confidence.strong,
  message: 'names a program so that it looks like a document to those who open it',
  trigger: { literals: [programs.map((name) => `.${name}`)], charsMax: 256 },
  judge: ({ text, member }) => {
    if (!isFileName(member)) return undefined;
    const program = dressed.exec(text)?.[1]?.toLowerCase() ?? '';
    if (!programs.includes(program)) return undefined;
    // `viewer.pdf.js`: modules of a page have names of several parts.
    const score = program === 'js' && !turned.test(text) ? confidence.hint : confidence.strong;
    return { start: 0, end: text.length, score };
  },
  examples: [
    { body: { 'body.file.filename': 'me\u202egnp.exe' } },
    { body: { 'body.file.filename': 'invoice.pdf.exe' } },
    { body: { filename: 'photo.jpg      .scr' } },
    { body: { file_name: 'Q3.xlsx.lnk' } },
    { body: { filename: 'letter.docx.jse' } },
    { body: { filename: 'letter.docx      .js' } },
    { body: { filename: 'letter.docx\u3000.js' } },
    { body: { 'body.file.filename': 'a\u2067cod.hta' } },
  ],
  lookalikes: [
    { body: { 'body.file.filename': 'setup-1.2.exe' } },
    { body: { 'body.file.filename': 'pdf.exe' } },
    { body: { 'body.file.filename': '\u200f\u05d3\u05d5\u05d7 \u05e1\u05d5\u05e4\u05d9.exe' } },
    { body: { 'body.file.filename': '\u2067\u05d3\u05d5\u05d7\u2069.exe' } },
    { body: { 'body.file.filename': '\u202e\u05d3\u05d5\u05d7.exe.pdf' } },
    { body: { filename: 'to-pdf.js' } },
    { body: { 'body.file.filename': 'viewer.pdf.js' } },
    { body: { comment: 'It came as invoice.pdf.exe' } },
  ],
};

/** The end is turned round, or pushed out of sight. */
const turned = /[\u202d\u202e\u2066-\u2068]| {2}|\s\.js$/i;
/**
 * A right-to-left override or isolate turns the end of the name round (UAX 9), blanks push it out
 * of sight, or the extension of a document stands in front.
 */
const dressed =
  /(?:[\u202d\u202e\u2066-\u2068][^\u2069]{0,80}|\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|gif) {0,80})\.(\w{2,3})$/i;
