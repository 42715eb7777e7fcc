import type { Detector } from '../rule.ts';
import { backtick } from './backtick.ts';
import { commandIdiom } from './command-idiom.ts';
import { environment } from './environment.ts';
import { codeExpression } from './expression.ts';
import { formula } from './formula.ts';
import { java } from './java.ts';
import { latex } from './latex.ts';
import { node } from './node.ts';
import { phpCall } from './php-call.ts';
import { phpDynamic } from './php-dynamic.ts';
import { phpInput } from './php-input.ts';
import { phpOption } from './php-option.ts';
import { phpStatement } from './php-statement.ts';
import { phpTag } from './php-tag.ts';
import { processCall } from './process-call.ts';
import { python } from './python.ts';
import { rubyLiteral } from './ruby-literal.ts';
import { scriptCall } from './script-call.ts';
import { serverPage } from './server-page.ts';
import { stringLookup } from './string-lookup.ts';

/** Rules of the category `code`. */
export const code: Detector = {
  category: 'code',
  rules: [
    codeExpression,
    environment,
    phpTag,
    phpCall,
    phpInput,
    phpStatement,
    backtick,
    java,
    python,
    node,
    scriptCall,
    rubyLiteral,
    serverPage,
    stringLookup,
    phpOption,
    phpDynamic,
    processCall,
    commandIdiom,
    formula,
    latex,
  ],
};
