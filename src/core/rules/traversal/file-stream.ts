import { confidence } from '../../placement/confidence.ts';
import { isFileName } from '../../placement/member.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** A script, and the colon in front of the name of a stream. */
const scripts: readonly string[] = wordList(
  'php php5 phtml asp aspx ashx asmx asa cer jsp jspx cfm config',
).map((extension) => `.${extension}:`);

/** `config.asp::$DATA`: the default stream of an NTFS file, which shows a script's source. */
export const fileStream: ValueRule = {
  id: 'traversal.file-stream',
  cwe: 'CWE-69',
  score: confidence.strong,
  message: 'names the NTFS stream of a file, which gets round the rules for its extension',
  trigger: { literals: [['::$data', '::$index_allocation', ':$i30:', ...scripts]] },
  judge: (subject) => {
    const text = subject.text.toLowerCase();
    if (isFileName(subject.member) && namedStream.test(text)) return { start: 0, end: text.length };
    for (const stream of streams) {
      const at = text.indexOf(stream);
      if (at <= 0) continue;
      const start = Math.max(text.lastIndexOf(' ', at), text.lastIndexOf('=', at)) + 1;
      // A name directly in front; at the end of the word.
      const follows = text.charCodeAt(at + stream.length);
      if (at - start < 3 || follows === 36 || follows === 61) continue;
      const isWord = text.indexOf(' ') < 0;
      return {
        start,
        end: at + stream.length,
        score: isWord ? confidence.strong : confidence.hint,
      };
    }
    return undefined;
  },
  examples: [
    ...['/default.asp::$DATA', 'admin::$INDEX_ALLOCATION/users.aspx', '/f?name=web.config::$data'],
    { body: { filename: 'shell.aspx:.jpg' } },
    { body: { file_name: 'a.php:b.png:$DATA' } },
  ],
  lookalikes: [
    ...['what does ::$DATA mean in NTFS', 'Config::$database = 1'],
    'the file notes.txt::$DATA showed up in the scan',
    ...[{ body: { filename: 'index.php:12' } }, { body: { file: 'app.php: not found' } }],
  ],
};

const streams = ['::$data', '::$index_allocation', ':$i30:$index_allocation'];
/** What is written to the stream of a script makes an empty script (`[MS-FSCC]`, 2.1.5). */
const namedStream =
  /^[^\s:*?"<>|]{1,200}\.(?:php5?|phtml|asp|aspx|ashx|asmx|asa|cer|jspx?|cfm|config):(?!\d)[\w.$-]{0,80}(?::\$data)?$/;
