import { compileSequences, findSequence } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `include $_GET['f']`, `$_POST[0]($_POST[1])`: code that runs what the next request brings. */
export const phpInput: ValueRule = {
  id: 'code.php-input',
  cwe: 'CWE-94',
  severity: 'critical',
  score: confidence.certain,
  message: 'is PHP that takes its code or its file from a request',
  trigger: { literals: [['$_', '$globals', '$http_raw']] },
  judge: (subject) => findSequence(subject, sequences),
  examples: [
    "include $_GET['f'];",
    '$_GET[0]($_GET[1])',
    "$_POST['a']($_POST['b'])",
    '`$_GET[c]`',
    "${$_REQUEST['x']}",
  ],
  lookalikes: [
    'In PHP, $_GET holds the query and $_POST the form',
    "echo htmlspecialchars($_GET['name']);",
    'a $_ b',
    '$_SESSION is empty after log-in',
  ],
};

const inputs =
  '$_get|$_post|$_request|$_cookie|$_server|$_files|$_env|$globals|$http_raw_post_data';

const sequences = compileSequences([
  { pattern: `include|require|include_once|require_once ${inputs}`, score: confidence.certain },
  { pattern: `${inputs} [ * ] (`, score: confidence.certain },
  { pattern: `${inputs} [ ' * ' ] (`, score: confidence.certain },
  { pattern: `${inputs} [ ' * ' ]`, score: confidence.hint },
  { pattern: `\` ${inputs} [`, score: confidence.strong },
  { pattern: `{ ${inputs} [`, score: confidence.strong, inProse: confidence.hint },
  { pattern: `eval|system|exec|assert|passthru|popen ${inputs}`, score: confidence.strong },
]);
