import { confidence } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A value that is nothing but a sum in braces that other texts have as well, or a call of Go. */
export const probe: ValueRule = {
  id: 'ssti.probe',
  category: 'ssti',
  cwe: 'CWE-1336',
  severity: 'high',
  score: confidence.likely,
  message:
    'is a sum or a call in the delimiters of a template, which shows whether an engine listens',
  trigger: { classes: charClass.brace },
  examples: [
    '{7*7}',
    '{ 12 * 3 }',
    "{7*'7'}",
    '{{@7*7}}',
    '{{call .Run "id"}}',
    '{{template "x" .}}{{call .Run "id"}}',
    '{{ .Run "id" }}',
    '{{process.env}}',
    '{{ .Env }}',
    '{{.}}',
    '{{printf "%s" .}}',
    '{{ range(1,99999999) }}',
    '{@math key="7" method="multiply" operand="7"/}',
    '{% extends request.args.x %}',
    '<#list .data_model?keys as k>${k}</#list>',
  ],
  lookalikes: [
    '{{ process.env.NODE_ENV }}',
    '{{ .Environment }}',
    '{7, 7}',
    'the set {7*7} has one member',
    '{{call me}}',
    '{{ .Title "x" }} is wrong in my page',
    '{{ .Title }}',
    '{0}*{1}',
    '{2*n}',
    '{{#items}}{{.}}{{/items}}',
    '{{ range(1, 10) }}',
    '{% extends "base.html" %}',
  ],
  judge(subject): Match | undefined {
    if (subject.where === 'name' || subject.text.length > probeCharsMax) return undefined;
    const text = subject.text.trim();
    const isProbe =
      sum.test(text) ||
      goCall.test(text) ||
      goCallBehind.test(text) ||
      environment.test(text) ||
      engineCall.test(text);
    return isProbe ? { start: 0, end: subject.text.length } : undefined;
  },
};

const probeCharsMax = 80;
const sum =
  /^(?:\{ ?\d{1,6} ?\* ?(?:\d{1,6}|'\d{1,6}'|"\d{1,6}") ?\}|\{\{@ ?\d{1,6} ?\* ?\d{1,6} ?\}\})$/;
/** All that the server was started with, or all that the template was given. */
const environment =
  /^(?:\{\{=? ?(?:\.Env|process\.env|global\.process(?:\.\w{1,20})?) ?\}\}|<#list \.(?:data_model|globals|vars)\?keys as )/;
/** All of what a template was given, a loop without end, a helper of Dust, a layout by request. */
const engineCall =
  /^(?:\{\{-? ?(?:\.|printf "%[sdvqxT]" [.$]) ?-?\}\}|\{\{ ?range\((?:\d{1,9}, ?)?\d{6,12}\) ?\}\}|\{@(?:math|eq|gt|lt) [^{}]{1,60}\/\}|\{% ?(?:extends|include) request\.[^%]{1,40}%\})$/;
/** The same behind another action. */
const goCallBehind = /^\{\{[^{}]{1,40}\}\}\{\{ ?call \.[A-Z]\w{1,40} "[^"]{1,40}" ?\}\}$/;
/** A method of what the template was given, with a string as its argument. */
const goCall = /^\{\{-? ?(?:call )?\.[A-Z]\w{1,40}(?:\.\w{1,40}){0,3} "[^"]{1,40}" ?-?\}\}$/;
