import type { SqlTokens } from '../../grammars/sql/sql-token.ts';
import { isOneOf } from '../../grammars/sql/statement-parts.ts';
import { endsAsSql, has, hasAny, trait } from '../../grammars/sql/traits.ts';
import { errorTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import {
  type Call,
  errorClasses,
  hasArguments,
  isMentioned,
  sqlArgument,
  strongestCall,
} from '../../placement/sql-call.ts';
import type { ValueRule } from '../rule.ts';

/** `extractvalue(1,concat(0x7e,version()))`, `updatexml(1,concat(0x5c,(select user())),1)`. */
export const errorBased: ValueRule = {
  id: 'sqli.error-based',
  severity: 'critical',
  score: confidence.certain,
  message: 'provokes an error of the database whose text carries data',
  trigger: errorTrigger,
  judge: (subject) => strongestCall(subject, errorClasses, scoreOf),
  examples: [
    "'||utl_inaddr.get_host_address((select user from dual))||'",
    '1 and extractvalue(1,concat(0x7e,version()))',
    '1 and gtid_subset(concat(0x7e,database()),1)',
    "length(query_to_xml('table staff',true,true,''))",
    'updatexml(0,concat(0x5c,(select user())),0)',
  ],
  lookalikes: [
    ...['to_json(row) and json_keys(obj) are helpers', 'What is extractvalue() for?'],
    'multipoint(a, b)',
    "the output of query_to_xml('table staff', true, true, '') is long",
  ],
};

function scoreOf(call: Call, tokens: SqlTokens): number {
  if (!hasArguments(tokens, call.at)) return 0;
  if (isMentioned(call, tokens)) return confidence.hint;
  if (hasAny(call.expression, sqlArgument)) return confidence.certain;
  // `query_to_xml('table staff',true,true,'')` runs the text.
  const isWhole = has(call.expression, trait.text | trait.constant);
  if (isWhole && isOneOf(tokens, call.at, runners)) return confidence.strong;
  return endsAsSql(call.expression) ? confidence.hint : confidence.trace;
}

/** What they are given is a statement, or they list all tables of a database. */
const runners = [
  ...['query_to_xml', 'query_to_xml_and_xmlschema', 'query_to_xmlschema', 'database_to_xml'],
  ...['schema_to_xml', 'database_to_xml_and_xmlschema', 'table_to_xml'],
];
