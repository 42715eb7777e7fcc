import type { Detector } from '../rule.ts';
import { activeElement } from './active-element.ts';
import { attributeBreakout } from './attribute-breakout.ts';
import { bareStyle } from './bare-style.ts';
import { characterRun } from './character-run.ts';
import { clientDirective } from './client-directive.ts';
import { clientTemplate } from './client-template.ts';
import { contextEscape } from './context-escape.ts';
import { danglingMarkup } from './dangling-markup.ts';
import { domClobbering } from './dom-clobbering.ts';
import { eventHandler } from './event-handler.ts';
import { scriptExpression } from './expression.ts';
import { framedDocument } from './framed-document.ts';
import { handedFunction } from './handed-function.ts';
import { metaDirective } from './meta-directive.ts';
import { scriptAttribute } from './script-attribute.ts';
import { scriptCall } from './script-call.ts';
import { scriptElement } from './script-element.ts';
import { scriptScheme } from './script-scheme.ts';
import { scriptUrl } from './script-url.ts';
import { shiftedMarkup } from './shifted-markup.ts';
import { splitMarkup } from './split-markup.ts';
import { strippedMarkup } from './stripped-markup.ts';
import { styleScript } from './style-script.ts';
import { svgAnimation } from './svg-animation.ts';
import { symbolScript } from './symbol-script.ts';

/** Rules of the category `xss`. */
export const xss: Detector = {
  category: 'xss',
  rules: [
    scriptElement,
    eventHandler,
    scriptUrl,
    framedDocument,
    activeElement,
    metaDirective,
    styleScript,
    svgAnimation,
    splitMarkup,
    shiftedMarkup,
    domClobbering,
    attributeBreakout,
    scriptCall,
    scriptExpression,
    handedFunction,
    symbolScript,
    scriptScheme,
    bareStyle,
    clientTemplate,
    clientDirective,
    characterRun,
    contextEscape,
    danglingMarkup,
    scriptAttribute,
    strippedMarkup,
  ],
};
