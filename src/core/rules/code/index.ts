import type { Detector } from '../rule.ts';
import { commandIdiom, latex } from './command-idiom.ts';
import { backtick, codeExpression, environment, rubyLiteral } from './expression.ts';
import { formula } from './formula.ts';
import { java, stringLookup } from './java.ts';
import { node } from './node.ts';
import { phpTag, serverPage } from './page-tag.ts';
import { phpCall } from './php-call.ts';
import { phpDynamic, phpInput, phpOption, phpStatement } from './php-text.ts';
import { processCall, scriptCall } from './process-call.ts';
import { python } from './python.ts';

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
