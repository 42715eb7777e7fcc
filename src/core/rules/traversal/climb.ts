import { climbTrigger } from '../../grammars/path/climb-trigger.ts';
import type { PathWord } from '../../grammars/path/path.ts';
import { confidence } from '../../placement/confidence.ts';
import { isUploadName } from '../../placement/member.ts';
import {
  isMention,
  isPathMember,
  isRequestPath,
  type PathPlace,
  strongestPath,
} from '../../placement/path-place.ts';
import type { Subject } from '../../placement/subject.ts';
import type { ValueRule } from '../rule.ts';

/** `../../..`: out of the directory that the application meant. */
export const climb: ValueRule = {
  id: 'traversal.climb',
  score: confidence.certain,
  message: 'climbs out of the directory that the path starts in',
  trigger: climbTrigger,
  judge: (subject) => {
    if (otherLanguage.test(subject.text)) return undefined;
    const inRequestPath = isRequestPath(subject);
    const isUpload = isUploadName(subject.member);
    // `‥/x`: a step that only a normalisation of Unicode makes is none by accident.
    const isDisguised = subject.decoded.at(-1) === 'unicode';
    const single = isPathMember(subject) || isDisguised ? confidence.likely : confidence.hint;
    return strongestPath(subject, (word, place) => {
      if (inRequestPath && !word.url && word.climbs > 0) return confidence.strong;
      if (isUpload && word.above > 0 && place === 'whole') return confidence.likely;
      const score = isLeftOut(subject.text, word) ? 0 : scoreOf(word, place, single);
      if (score < confidence.likely) return score;
      return isReference(subject, word, place, single) ? confidence.hint : score;
    });
  },
  examples: [
    ...['../../../srv/data/report', 'images/../../../../opt/app', '..\\..\\..\\inetpub'],
    '\t \r          \n\f   ../../../srv/data/report              ',
    ...['.\t.\\.\n.\\.\r.\\srv\\da\tta', '....//....//....//data'],
    ...['/download?name=../../../../tmp/x', '../../../../../../srv/app/config.js'],
    '<doc href="../../../../../../srv/app/config.js"/>',
    { body: { method: 'GET', path: '/static/../admin/users' } },
    { body: { note: '../../config/app.json' } },
    ...[{ body: { 'query.next': '/en/../../de/' } }, { body: { 'query.next': '/en/../db/' } }],
    '‥/private/report',
    'https://reports.example.com/...\\...\\...\\app.conf',
    { body: { file: '../dist/config/index.js' } },
    { body: { module: '../lib/db/secrets/index.cjs' } },
    { body: { path: '../core/tsconfig.json' } },
    { body: { 'query.path': '../lib/index.js' } },
    { body: { 'query.doc': 'It came too late. guide/../../files_old' } },
    { body: { 'body.file.filename': '../me.jpg' } },
    { body: { 'body.file.filename': 'a/../../me.png' } },
  ],
  lookalikes: [
    'see [the guide](../guide/intro.md) and [limits](../../reference/limits.md)',
    ...["import { x } from '../../lib/x.ts'", '<img src="../../images/logo.png" alt="">'],
    'Wait.../ what /.../ then',
    ...[{ body: { 'query.next': '/en/../de/' } }, { body: { path: '/pt-br/../en/' } }],
    'eslint --config ../../../../../.eslintrc --ignore-path ../../../../../.eslintignore .',
    { body: { note: '../images/photo.jpg' } },
    '../../shared/utils.ts',
    '../../node_modules/.pnpm/a+b@1.2.3/node_modules/a.b/dist/index.js',
    ...['docs/../../LICENSE', '../../../../shared/components/Button.tsx'],
    ...['..\\..\\packages\\ui\\index.ts', '../../assets/logo@2x.png'],
    { body: { 'query.doc': 'go to ../../docs/guide.md' } },
    { body: { path: './charts/../app' } },
    { body: { src: '../icons/192.png' } },
    { body: { file: './src/../README.md' } },
    { body: { 'body.file.filename': 'holiday/../photos/me.jpg' } },
    { body: { 'body.file.filename': '..me.jpg' } },
    { body: { filename: '../icons/me.png' } },
    'Running ../../../../src/testsuite/lib/a.exp as the tool init file',
    ':http-equiv=refresh: 3; url=../../cli/pip_wheel/\n\nThis page has moved',
    { body: { description: ':http-equiv=refresh: 3; url=../../cli/pip_show/' } },
    '-include ../../../config.mak.autogen\n-include ../../../config.mak\nall: it',
    'include ../../../Makefile.common',
    {
      body: {
        references: [{ path: '../core/tsconfig.build.json' }],
        module: '../dist/esm/index.js',
      },
    },
    'https://reports.example.com/.../.../.../sales_2026.csv',
    '.. include:: ../../../../CONTRIBUTING.rst',
    '  :http-equiv=refresh: 3; url=../../cli/pip_install/',
    '<config xsi:noNamespaceSchemaLocation="../../../../../../lib/internal/Framework/App/etc/routes.xsd"/>',
    'the linker got /usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/crt1.o twice',
  ],
};

/** `/en/../de/`: what a relative link to the page in another language comes to. */
const otherLanguage =
  /^(?:https?:\/\/[\w.-]{1,253})?\/(?:(?:ar|bg|cs|da|de|el|en|es|fi|fr|he|hu|it|ja|ko|nl|no|pl|pt|ro|ru|sv|tr|uk|zh)(?:-[a-z]{2})?\/(?:\.\.\/)?){2}$/i;

/** What modules, documents and people refer to by a relative path. */
function isReference(subject: Subject, word: PathWord, place: PathPlace, single: number): boolean {
  const { text } = subject;
  if (goesOn(text, word, place)) return true;
  if (!isPlain(word)) return false;
  if (returnsHome(word) || isMentioned(text, word, place)) return true;
  if (word.above <= 2 && isWritten(subject) && !isAll(text, word)) return true;
  if (place === 'quoted') return isSchema(text, word);
  if (single < confidence.likely) return isSource(text, word);
  return word.above === 1 && (picture.test(fileOf(text, word)) || isOfManifest(subject, word));
}

/** `single` is for one step up that is the whole value. */
function scoreOf(word: PathWord, place: PathPlace, single: number): number {
  if (word.climbs === 0) return scoreOfWide(word, place);
  if (place === 'quoted') return word.above >= 6 ? confidence.likely : confidence.trace;
  if (word.above >= 3)
    return place === 'prose' && word.above < 5 ? confidence.likely : confidence.certain;
  if (place === 'prose') return word.above === 2 ? confidence.hint : confidence.trace;
  if (word.above === 2) return confidence.strong;
  if (word.climbs >= 2) return confidence.likely;
  if (place !== 'whole') return confidence.trace;
  // `..\\`, `/..//`: no honest relative path.
  return word.nameless && (word.absolute || word.end - word.start > 3) ? confidence.likely : single;
}

/** `https://example.com/.../.../report.csv`: names of another host that the text leaves out. */
function isLeftOut(text: string, word: PathWord): boolean {
  if (!word.url || word.climbs > 0 || word.disguised) return false;
  const isWeb = web.test(text.slice(Math.max(0, word.start - 7), word.start));
  return isWeb && !backslash.test(text.slice(word.start, word.end));
}

const backslash = /\\|%5c/i;

const web = /(?:^|[^a-z])https?:$/i;

function scoreOfWide(word: PathWord, place: PathPlace): number {
  if (isMention(place)) return 0;
  if (word.wide >= 3) return confidence.strong;
  return word.nameless && word.wide > 0 && word.dotRun > 3 && word.absolute ? confidence.likely : 0;
}

/** A relative path to source, style, picture or documentation. */
function isSource(text: string, word: PathWord): boolean {
  return word.above <= sourceStepsMax && source.test(fileOf(text, word));
}

/** `"../../../../../../lib/routes.xsd"`: the schema of a document, deep in a project. */
function isSchema(text: string, word: PathWord): boolean {
  return word.above <= schemaStepsMax && schema.test(fileOf(text, word));
}

const schemaStepsMax = 8;
const schema = /^(?:[\w@][\w@.+-]{0,80}\/){0,16}[\w@.-]{1,60}\.(?:xsd|dtd)$/;

/** What is left of the path behind its steps. */
function fileOf(text: string, { tail, end }: PathWord): string {
  return text.slice(Math.max(tail, end - fileCharsMax), end);
}

/**
 * `Using ../../../lib/a.exp as the file`: a sentence goes on behind the path. The file system takes
 * it for the end of the name, and no file has one.
 */
function goesOn(text: string, word: PathWord, place: PathPlace): boolean {
  if (place === 'whole' || word.disguised || word.nul >= 0 || word.nameless) return false;
  if (!behindPath.test(text.slice(word.end, word.end + behindCharsMax))) return false;
  // `../../a b c/../d`: where `..` takes a segment back unseen, the last name alone has to exist.
  const last = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'));
  return twoWords.test(text.slice(last + 1, last + 1 + behindCharsMax * 4));
}

/**
 * `include ../../../common.mk`: read whole, the first two dots end a name of several words, which
 * the second pair takes back, so that the value climbs two levels less than its last word.
 */
function isMentioned(text: string, word: PathWord, place: PathPlace): boolean {
  if (word.nameless) return false;
  const levels = place === 'prose' ? mentionedMax : place === 'parameter' ? mentionedMax - 2 : 0;
  if (word.above > levels) return false;
  const before = text.slice(Math.max(0, word.start - behindCharsMax), word.start);
  return (place === 'prose' ? wordThenBlank : wordThenName).test(before);
}

const mentionedMax = 4;
const wordThenBlank = /\S\s{1,8}$/;
const wordThenName = /\S\s[\w-]{1,20}=$/;
const behindCharsMax = 60;
const twoWords = /\S\s+\S/;
/** Words, and no version of HTTP or end of a header; or a line that ends and another of the text. */
const behindPath = /^(?:,? [a-z][\w'-]{0,20}[ ,.][ \w]|\s{0,4}\n[\s=-]{0,20}[\w.-]{2})/;

/** `./charts/../app`: up within the directory that it starts in. */
function returnsHome(word: PathWord): boolean {
  const isHome = word.climbs > 0 && word.climbs < 4 && word.above <= 0 && word.wide === 0;
  return isHome && !word.nameless;
}

function isPlain(word: PathWord): boolean {
  return !word.disguised && !word.absolute && word.nul < 0;
}

/** `url=../../cli/`: in what people write to each other, a page or file beside another. */
function isWritten({ member, where, decoded }: Subject): boolean {
  return where === 'value' && decoded.length === 0 && writtenMember.test(member.slice(-40));
}

/** Nothing stands beside the path: no note consists of a path alone. */
function isAll(text: string, { start, end, nameless }: PathWord): boolean {
  return !nameless && start === 0 && text.slice(end, end + behindCharsMax).trim() === '';
}

const writtenMember =
  /(?:^|[._\-[])(?:message|comments?|description|notes?|bio|about|feedback|review|summary)\]?$/i;

/** `../icons/192.png`: a picture, font or style beside the page. */
const picture =
  /^(?:[\w@-][\w@.+-]{0,80}\/){0,8}[\w@.-]{1,60}\.(?:svg|png|jpe?g|gif|webp|avif|ico|woff2?|s?css)$/;

/** `"references": [{ "path": "../core/tsconfig.json" }]`, `"module": "../dist/esm/index.js"` */
function isOfManifest({ text, member, depth, where }: Subject, word: PathWord): boolean {
  if (where !== 'value') return false;
  if (member === 'module') return entryPoint.test(fileOf(text, word));
  return member === 'path' && depth > 2 && project.test(fileOf(text, word));
}

const entryPoint = /^(?:dist|esm?|lib)\/(?:(?:esm?|cjs)\/)?index\.[cm]?js$/;
const project = /^(?:[\w@-][\w@.+-]{0,80}\/){0,8}tsconfig[\w.-]{0,20}\.json$/;
const sourceStepsMax = 5;
const fileCharsMax = 120;
const source =
  /^(?:(?:\.github|\.pnpm|[\w@][\w@.+-]{0,80})[\\/]){0,16}(?:tsconfig[\w.]{0,20}\.json|[\w@.-]{1,60}\.(?:[cm]?tsx?|[cm]?jsx?|vue|svelte|s?css|less|md|rst|adoc|svg|png|jpe?g|gif|webp|woff2?|ipynb)|\.(?:(?:eslint|prettier|babel|stylelint)rc(?:\.(?:json|ya?ml|[cm]?js))?|(?:eslint|prettier|git|docker)ignore|editorconfig)|README|LICENSE|CHANGELOG|CONTRIBUTING|Makefile)$/;
