import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { isFileName } from '../../placement/member.ts';
import { isPathMember } from '../../placement/path-place.ts';
import { wordList } from '../../text/words.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** `msl:/tmp/a.png`, `label:@/srv/a`: the coder of ImageMagick that is to read a name. */
export const imageCoder: ValueRule = {
  id: 'traversal.image-coder',
  cwe: 'CWE-73',
  score: confidence.strong,
  message: 'has ImageMagick read a file as a program, delete it or show its text',
  trigger: {
    // `https:` ends like the coder of PostScript, so that these wait for the quote or the path as well.
    literals: [
      [
        ...['msl:', 'ephemeral:', 'mvg:', 'vid:', 'msvg:', 'inline:', ':@', ':../', ':..\\'],
        ...['etc', 'tmp', 'var', 'home', 'usr', 'root', 'proc', 'srv', 'opt', 'dev', 'mnt'].map(
          (folder) => `:/${folder}/`,
        ),
        ...[...'abcdefghijklmnopqrstuvwxyz'].flatMap((drive) => [`:${drive}:/`, `:${drive}:\\`]),
        ...wordList('label caption pango text ps eps epi pdf uyvy gray rgb').flatMap((name) => [
          `"${name}:`,
          `'${name}:`,
        ]),
      ],
    ],
  },
  judge: (subject): Match | undefined => {
    const { text, member } = subject;
    const found = foundBy(drawn.exec(text));
    if (found !== undefined) return found;
    if (text.length > nameCharsMax || !(isFileName(member) || isPathMember(subject)))
      return undefined;
    const named = coder.exec(text);
    if (named !== null) return { start: 0, end: text.length };
    return interpreter.test(text) && !ownKind.test(text)
      ? { start: 0, end: text.length, score: confidence.likely }
      : undefined;
  },
  examples: [
    "push graphic-context\nviewbox 0 0 9 9\nimage Over 1,2 3,4 'msl:/tmp/a'\npop graphic-context",
    "image over 0,0 0,0 'label:@/etc/hosts'",
    '<svg><image xlink:href="ephemeral:/srv/a.png"/></svg>',
    '<image><read filename="pango:@/srv/a"/><write filename="/srv/www/a.png"/></image>',
    ...inMember('file', 'msl:/tmp/a.msl', 'ps:/tmp/a.png'),
    ...inMember('image', 'vid:msl:/tmp/php*', 'ephemeral:/srv/www/a.png', 'caption:@/srv/notes'),
    { body: { image: 'svg:../uploads/a.svg.png' } },
    { body: { 'query.img': 'mvg:../a.mvg' } },
    { body: { src: 'inline:data:text/x;base64,aaaa' } },
  ],
  lookalikes: [
    'height msl: 120',
    ...inMember('image', 'logo.png', 'pdf:report', 'svg:/icons/a.svg', 'svg:../icons/a.svg'),
    ...inMember('src', 'vid:1234', 'text:/help'),
    ...inMember('file', 'vid:intro.mp4', 'svg:icons/home', 'pdf:/var/docs/a.pdf'),
    ...[{ body: { file: 'text: /tmp is full' } }, { body: { comment: 'msl:/tmp/a.msl' } }],
    { body: { note: 'label:@anna, caption:@bob' } },
  ],
};

const nameCharsMax = 400;
/** Coders for programs, lists, removal and text (https://imagemagick.org/script/formats.php). */
const coder =
  /^(?:(?:msl|mvg|msvg|ephemeral):(?=[\w./~\\*])|vid:(?=[./~\\*]|[a-z]{2,12}:|[\w-]{1,60}[*?])|inline:(?:data:|[\w+/]{16})|(?:label|caption|pango|text|title):@(?=[\w./~\\]))[^\s<>]{1,360}$/i;
/** Languages of pages, which run, and raw pictures: any file of the machine, whatever it holds. */
const interpreter =
  /^(?:ps[23]?|epsf?|epi|epdf|pdf|svg|text|uyvy|gray|rgb):(?:\/(?:etc|tmp|var|home|usr|root|proc|srv|opt|dev|mnt)\/|\.\.[\\/]|[a-z]:[\\/])[^\s<>]{1,360}$/i;
/** The extension says the same as the coder: the name alone would be read so. */
const ownKind = /^(ps|eps|pdf|svg):(?:[a-z]:)?[^:]{1,360}\.\1$/i;
/** The same in what ImageMagick draws by: MVG, SVG, MSL. */
const drawn =
  /(?:\bimage {1,3}\w{1,12} {1,3}[\d.,]{1,24} {1,3}[\d.,]{1,24} {1,3}["']|<image\s[^<>]{0,80}href=["']|<(?:read|write|image)\s{1,4}filename=["'])(?:(?:msl|mvg|ephemeral|vid):[\w./~\\]|(?:label|caption|pango|text):@?[\w./~\\]|(?:ps|eps|epi|pdf|uyvy|gray|rgb):(?:\/|\.\.))/i;
