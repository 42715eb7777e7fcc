import { ssi as grammar } from '../../bench/redteam/grammar/ssi.ts';
import { ssi } from '../../bench/redteam/oracle/ssi.ts';
import { ssiRewriters } from '../../bench/redteam/rewrite/ssi.ts';
import { testOracle, testRewriters } from './laws.ts';

const include = '<!--#include virtual="/etc/passwd" -->';
const echo = '<!--#echo var="DATE_LOCAL" -->';

testOracle(ssi, {
  text: [[include], [echo], ['<!--#set var="a" value="b" -->']],
  attribute: [[include]],
  title: [[echo]],
  comment: [[`x ${include}`]],
  script: [[echo]],
  'text area': [[include]],
  'behind an open comment': [['#echo var="document_root" ']],
});

testRewriters(ssi, grammar, ssiRewriters);
