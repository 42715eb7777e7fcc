// Where an engine of ECMAScript calls a function that it was handed (ECMA-262, HTML, DOM, Streams), in lower case.

import { wordList, wordSet } from '../text/words.ts';

/** Methods of texts and lists and of promises that call what they are given. */
export const callingMethods: ReadonlySet<string> = wordSet(
  `catch every filter finally find findindex findlast findlastindex flatmap foreach from map reduce
   reduceright replace replaceall some sort then tosorted`,
);

/**
 * Functions and constructors of the platform that call a function which they are given, and the
 * first argument that can be one.
 */
export const takers: ReadonlyMap<string, number> = new Map<string, number>([
  ...positions(
    0,
    `queuemicrotask requestanimationframe requestidlecallback setimmediate setinterval settimeout
     addlistener defer getcurrentposition posttask promise requestpermission startviewtransition toblob watchposition
     mutationobserver resizeobserver intersectionobserver performanceobserver reportingobserver
     finalizationregistry`,
  ),
  ...positions(
    1,
    'addeventlistener adopt createnodeiterator createtreewalker __definegetter__ __definesetter__',
  ),
]);

/** Lists of numbers (ECMA-262, 23.2), with the methods of lists. */
export const typedArrays: readonly string[] = wordList(
  `int8array uint8array uint8clampedarray int16array uint16array int32array uint32array float16array
   float32array float64array bigint64array biguint64array`,
);

/** The same by their path, since others have functions of these names; `Object` is left out of it. */
export const takerPaths: ReadonlyMap<string, number> = new Map([
  ...positions(0, 'promise.try'),
  ...positions(
    1,
    `array.from array.fromasync document.evaluate groupby json.parse json.stringify map.groupby
     navigator.locks.request ${typedArrays.map((name) => `${name}.from`).join(' ')}`,
  ),
]);

/** Those that call members of an object which they are given, or make them members of what is called. */
export const memberTakers: ReadonlySet<string> = wordSet(
  `addeventlistener createnodeiterator createpolicy createtreewalker defineproperties defineproperty
   proxy readablestream transformstream writablestream`,
);

/** The same by their path. */
export const memberTakerPaths: ReadonlySet<string> = wordSet(
  'assign create document.evaluate webassembly.instance webassembly.instantiate',
);

/** What an object is turned into something else by, in the case that it is written in. */
export const conversions: ReadonlySet<string> = wordSet('toString valueOf toJSON then');

/** Members that the engine calls by itself: conversions, the traps of a proxy, listeners. */
export const hooks: ReadonlySet<string> = new Set([
  ...conversions,
  ...wordSet(
    `get set has apply construct ownKeys isExtensible preventExtensions defineProperty deleteProperty
     getPrototypeOf setPrototypeOf getOwnPropertyDescriptor handleEvent acceptNode lookupNamespaceURI`,
  ),
]);

/** Members of what an iterator's symbol gives (ECMA-262, 27.1.1). */
export const iteratorHooks: ReadonlySet<string> = wordSet('next return throw');

/** Members of objects and classes that the engine calls wherever they are assigned. */
export const assignedHooks: ReadonlySet<string> = wordSet(
  `tostring valueof tojson then preparestacktrace connectedcallback disconnectedcallback
   adoptedcallback attributechangedcallback`,
);

/** Objects and functions of the platform that give back what they are given, whole or in parts. */
export const containers: ReadonlySet<string> = wordSet(
  `${typedArrays.join(' ')} array assign create customelements document entries formdata freeze fromentries getownpropertydescriptor
   headers iterator map promise reflect set structuredclone urlsearchparams values weakmap weakref`,
);

/** Functions that list what an object has. */
export const listers: ReadonlySet<string> = wordSet(
  'entries getownpropertynames keys reflect.ownkeys values',
);

function positions(first: number, names: string): [string, number][] {
  return [...wordSet(names)].map((name) => [name, first]);
}
