import { wordList, wordSet } from '../text/words.ts';

// Names of the web platform, in lower case.

/** Objects of a page whose members are global names (ECMA-262 19, HTML 7.3). */
export const globalObjects: readonly string[] = wordList(
  'window self top parent this frames globalthis',
);

/** Functions that open a dialog: what a probe calls. */
export const dialogs: ReadonlySet<string> = new Set(['alert', 'confirm', 'prompt', 'msgbox']);

/** Functions that run a string as script. */
export const evaluators: ReadonlySet<string> = wordSet(
  'eval execscript $eval $evalasync importscripts evalscript geturl',
);

/** Functions that run a string as script when their first argument is one. */
export const timers: ReadonlySet<string> = wordSet(
  'settimeout setinterval setimmediate queuemicrotask requestanimationframe',
  'requestidlecallback function',
);

/** Functions that turn data into script text; inside an evaluator they hide what runs. */
export const unpackers: ReadonlySet<string> = wordSet(
  'atob unescape fromcharcode fromcodepoint decodeuri decodeuricomponent',
);

/** Functions that send or load, write into the page, or open a window. */
export const pageFunctions: ReadonlySet<string> = wordSet(
  'fetch open createelement write writeln insertadjacenthtml insertadjacentelement',
  'parsehtml getscript globaleval sethtmlunsafe parsehtmlunsafe createpolicy',
  'createcontextualfragment execcommand pushstate replacestate sendbeacon xmlhttprequest',
  'activexobject postmessage import print assign replace call apply',
);

/** The global object and the objects that lead back to it. */
export const globals: ReadonlySet<string> = new Set([
  ...globalObjects,
  'content',
  'opener',
  'document',
  'location',
]);

/** Members of an element that take markup: in its handlers they are names of their own. */
export const markupMembers: ReadonlySet<string> = new Set(['innerhtml', 'outerhtml']);

/** What a script reads of the visitor or of the page; an argument that shows the intent. */
export const pageData: ReadonlySet<string> = wordSet(
  'document location origin domain cookie localstorage sessionstorage navigator atob',
  'unescape eval',
);

/**
 * Words of the script grammar; two plain words side by side are prose unless one is among these.
 */
export const keywords: ReadonlySet<string> = wordSet(
  'async await case catch class const delete do else export extends finally for function',
  'if import in instanceof let new return static switch throw try typeof var void while',
  'with yield',
);

/** Attributes whose value is a URL that the browser follows or loads. */
export const urlAttributes: ReadonlySet<string> = wordSet(
  'action archive background by cite classid code codebase content data dynsrc folder',
  'formaction from handler href icon longdesc lowsrc manifest ping poster profile src',
  'srcset template to url usemap value values xlink:href xmlns xml:base',
);

/** English, Dutch, French, German and Spanish words that start like a handler's name. */
export const wordsStartingWithOn: ReadonlySet<string> = wordSet(
  'on once one ones oneself onion onions online only onset onshore onsite onto onus',
  'onward onwards ongoing onboard onboarding oncoming oncology ontology onyx onde onder',
  'onderwerp onze onda ontario',
);

/** Events of HTML, SVG, pointers, animations and a marquee, without `on`. */
export const events: ReadonlySet<string> = wordSet(
  'abort afterprint animationcancel animationend animationiteration animationstart auxclick beforecopy',
  'beforecut beforeinput beforematch beforepaste beforeprint beforetoggle beforeunload begin blur bounce cancel canplay',
  'canplaythrough change click close command contentvisibilityautostatechange contextlost contextmenu',
  'contextrestored copy cuechange cut dblclick drag dragend dragenter dragleave dragover dragstart drop',
  'durationchange emptied end ended error finish focus focusin focusout formdata fullscreenchange',
  'fullscreenerror gotpointercapture hashchange input interest invalid keydown keypress keyup',
  'languagechange load loadeddata loadedmetadata loadstart loseinterest lostpointercapture message messageerror mousedown mouseenter',
  'mouseleave mousemove mouseout mouseover mouseup mousewheel offline online pagehide pagereveal pageshow',
  'pageswap paste pause play playing pointercancel pointerdown pointerenter pointerleave pointermove',
  'pointerout pointerover pointerrawupdate pointerup popstate progress ratechange readystatechange',
  'rejectionhandled repeat reset resize scroll scrollend scrollsnapchange scrollsnapchanging search',
  'securitypolicyviolation seeked seeking select selectionchange selectstart slotchange stalled start',
  'storage submit suspend timeupdate toggle touchcancel touchend touchmove touchstart transitioncancel',
  'transitionend transitionrun transitionstart unhandledrejection unload volumechange waiting',
  'webkitanimationend webkitanimationiteration webkitanimationstart webkitfullscreenchange',
  'webkitfullscreenerror webkittransitionend wheel beforexrselect encrypted waitingforkey gesturechange',
  'gestureend gesturestart mozfullscreenchange mozfullscreenerror orientationchange',
);
