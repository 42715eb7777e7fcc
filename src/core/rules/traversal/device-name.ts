import { confidence } from '../../placement/confidence.ts';
import { isFileName } from '../../placement/member.ts';
import { inMember, type ValueRule } from '../rule.ts';

/** `CON`, `aux.txt`: names that Windows takes for a device in every folder. */
export const deviceName: ValueRule = {
  id: 'traversal.device-name',
  cwe: 'CWE-67',
  severity: 'medium',
  score: confidence.likely,
  message: 'names a device of Windows as a file, which hangs or fails when it is opened',
  trigger: { literals: [['con', 'aux', 'nul', 'prn', 'com', 'lpt', 'clock$']], charsMax: 260 },
  judge: ({ text, member }) => {
    if (!(isFileName(member) || fileMember.test(member))) return undefined;
    const found = device.exec(text);
    if (found === null) return undefined;
    const score = isWord.test(text) ? confidence.hint : confidence.likely;
    return { start: found.index, end: text.length, score };
  },
  examples: [
    ...inMember('file', 'data/CON', 'lpt1:'),
    ...inMember('filename', 'C:\\data\\aux.txt', 'com1.txt'),
    { body: { 'query.file': 'uploads/nul' } },
    { body: { path: '/', 'query.download': 'C:\\data\\COM1.log' } },
  ],
  lookalikes: [
    ...inMember('file', 'console.txt', 'auxiliary', 'main.aux', 'src/aux.c', 'lib/con.tsx', 'com'),
    ...[{ body: { name: 'CON' } }, { body: { file: 'nul' } }, { body: { lang: 'con' } }],
    ...[{ body: { 'body.file.filename': 'AUX.wav' } }, { body: { title: 'Con' } }],
    ...[{ body: { document: 'Con' } }, { body: { filename: 'con.pdf' } }],
  ],
};

/** Fields for the name of a file or the way to one. */
const fileMember =
  /^(?:query\.|body\.)?(?:file|file_?path|path_?name|download|attachment|upload|document)$/i;
/**
 * A word of a language, and of no folder of the server's: people name documents so, and Windows 11
 * takes none with an extension for a device any more.
 */
const isWord = /^(?:con|aux|nul|prn)(?:\.[\w.]{0,20})?$/i;
/**
 * The last name of a path, whatever its extension (Win32, "Naming Files"); not that of a program's
 * source or a recording (AUX is an input), which other systems do have.
 */
const device =
  /(?<=^|[\\/])(?:con|aux|nul|prn|com[1-9\u00b9\u00b2\u00b3]|lpt[1-9\u00b9\u00b2\u00b3]|con(?:in|out)\$|clock\$) {0,4}(?:\.(?!(?:cc?|cpp|h|hpp|rs|go|py|rb|[jt]sx?|java|kt|swift|hs|mli?|erl|ex|lua|s?css|less|vue|sv|vhdl?|md|tex|sh|wav|mp3|flac|aiff?)$)[\w.]{0,20}|:\w{0,20})?$/i;
