import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A value that is nothing but a sum in braces that other texts have as well, or a call of Go. */
export const probe: ValueRule = {
  id: 'ssti.probe',
  score: confidence.likely,
  message:
    'is a sum or a call in the delimiters of a template, which shows whether an engine listens',
  trigger: {
    isOfValues: true,
    literals: [['{', '<%', '[%', '@datetime', '@html.raw', '@php']],
    charsMax: 80,
  },
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
    '{{ range (1,99999999) }}',
    '{@math key="7" method="multiply" operand="7"/}',
    '{% extends request.args.x %}',
    '<#list .data_model?keys as k>${k}</#list>',
    '{{request}}',
    '{{ this.constructor }}',
    '<%= process.env %>',
    '#{systemProperties}',
    '${request.class}',
    '{{ 1 == 1 }}',
    '{{1 if 1 else 2}}',
    '{{ [1,2]|sum }}',
    '${7?string}',
    '{% if 1 %}x{% endif %}',
    '${"a"?upper_case}',
    "{{ 'a'|upper }}",
    "{{ 'ab'|upper|reverse }}",
    '{{len "a"}}',
    '{!! phpinfo() !!}',
    '{!!7*7!!}',
    '[% 7*7 %]',
    '@php echo 1; @endphp',
    '@DateTime.Now',
    '@Html.Raw("a")',
    '@{int x=7*7;}@x',
    "<% require 'open3' %>",
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
    '{{ request.path }}',
    '{{ requests }}',
    'the {{request}} of a client',
    '{{ item.constructor.name }}',
    '<%= ENV["HOME"] %>',
    '#{environment}',
    '${row.class}',
    '{{ count == 1 }}',
    '{{ "cart.title" | t }}',
    "{{ 'now' | date: '%Y' }}",
    '{{ name|upper }}',
    "{{ 'cart.title'|t|upper }}",
    '{% if user %}x{% endif %}',
    '{!! nl2br(e($text)) !!}',
    '{!! csrf_field() !!}',
    '{!! route("home") !!}',
    '@Html.Raw(Model.Text)',
    '@Html.Raw("&nbsp;")',
    '#{ENV}',
    '@DateTime.Now is what I put in the view',
    '[%1%]',
    "<%= require_role 'admin' %>",
  ],
  judge(subject): Match | undefined {
    const text = subject.text.trim();
    return probes.some((probe) => probe.test(text))
      ? { start: 0, end: subject.text.length }
      : undefined;
  },
};

const probes: readonly RegExp[] = [
  /^(?:\{ ?\d{1,6} ?\* ?(?:\d{1,6}|'\d{1,6}'|"\d{1,6}") ?\}|\{\{@ ?\d{1,6} ?\* ?\d{1,6} ?\}\})$/,
  // All that the server was started with, or all that the template was given.
  /^(?:\{\{=? ?(?:\.Env|process\.env|global\.process(?:\.\w{1,20})?) ?\}\}|<#list \.(?:data_model|globals|vars)\?keys as )/,
  // All of what a template was given, a loop without end, a helper of Dust, a layout by request.
  /^(?:\{\{-? ?(?:\.|printf "%[sdvqxT]" [.$]) ?-?\}\}|\{\{ ?range ?\((?:\d{1,9}, ?)?\d{6,12}\) ?\}\}|\{@(?:math|eq|gt|lt) [^{}]{1,60}\/\}|\{% ?(?:extends|include) request\.[^%]{1,40}%\})$/,
  // A method of what the template was given, with a string as its argument.
  /^\{\{-? ?(?:call )?\.[A-Z]\w{1,40}(?:\.\w{1,40}){0,3} "[^"]{1,40}" ?-?\}\}$/,
  // The same behind another action.
  /^\{\{[^{}]{1,40}\}\}\{\{ ?call \.[A-Z]\w{1,40} "[^"]{1,40}" ?\}\}$/,
  // An object of the engine or the server, with nothing asked of it but what it is.
  /^(?:\{\{[-=]? ?(?:request|(?:this\.)?(?:constructor|__proto__)) ?-?\}\}|<%[=-]? ?(?:process\.env|request\.env) ?-?%>|[#$]\{ ?(?:process\.env|system(?:Properties|Environment)|(?:request|session|application|response|context)\.class) ?\}|@DateTime\.(?:Now|UtcNow|Today))$/,
  // Numbers compared, chosen from, listed or formatted: what no page shows.
  /^(?:\{\{[-=]? ?|[$#]\{ ?|<%[=-] ?|\{% ?if )(?:\d{1,9} ?(?:[=!]=|<=?|>=?|&&|\|\|) ?\d{1,9}|\d{1,9} if [\w'"]{1,20} else \d{1,9}|\[\d{1,9}(?:, ?\d{1,9}){0,8}\] ?\| ?(?:sum|join|length|first|last|max|min)|\d{1,9}\?(?:string|c|abs|round|floor)|\d{1,9}(?= ?%))(?: ?-?\}\}| ?\}| ?-?%>| ?%\}[^{}]{0,40}\{% ?endif ?%\})$/,
  // A constant that a filter, a built-in or a call of Go writes otherwise.
  /^(?:\{\{-? ?(?:"[^"{}]{1,20}"|'[^'{}]{1,20}')(?: ?\| ?(?:upper|lower|length|reverse|title|capitalize|first|last|join|sort|md5|sha1|hash)){1,4} ?-?\}\}|\$\{ ?(?:"[^"{}]{1,20}"|'[^'{}]{1,20}')\?(?:upper_case|lower_case|length|cap_first|reverse|eval|html|url) ?\}|\{\{-? ?(?:len|html|js|urlquery|println?|printf "%[a-z]") "[^"{}]{1,40}" ?-?\}\})$/,
  // Blade, Template Toolkit, Razor, ERB: a sum, a call or a library, but no helper of each form.
  /^(?:\{!! ?(?:\d{1,6} ?[*+] ?\d{1,6}|(?!(?:csrf_\w{1,20}|method_field|old|route|url|asset|secure_\w{1,20}|trans(?:_choice)?|__|form_\w{1,20}|action|link_to\w{0,20}|mix)\()\w{2,30}\([\w"'/. -]{0,40}\)) ?!!\}|\[%=? ?\d{1,6} ?\* ?\d{1,6} ?%\]|@php\s[^@]{1,60}@endphp|@Html\.Raw\((?:"\w{1,40}"|\d[\d*+ ]{0,12})\)|@\{ ?(?:int|var|string) \w{1,20} ?= ?[\d"][\w"*+ ]{0,30}; ?\}@\w{1,20}|<%=? ?require ?\(?["'][\w/]{2,30}["']\)? ?-?%>)$/,
];
