import { wordList } from '../text/words.ts';

/** Trigger of the rules for script without markup: a piece of it holds at least one of these. */
export const scriptWords: readonly string[] = wordList(
  'alert confirm prompt msgbox print eval function settimeout setinterval setimmediate',
  'constructor fromcharcode fromcodepoint document location cookie fetch( fetch` import(',
  'importscripts sendbeacon execscript xmlhttprequest activexobject onerror innerhtml',
  'parsehtml geturl getscript atob window htmlunsafe createpolicy contextualfragment',
  'execcommand pushstate replacestate globaleval .action self?. onhashchange',
);

/** Trigger for calls of properties with a computed name. */
export const computedCalls: readonly string[] = [
  '](',
  ']`',
  ']?.',
  '] (',
  ']\n(',
  ']/*',
  "']",
  '"]',
];
