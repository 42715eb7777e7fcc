import type { Rewriter } from '../../contract.ts';
import { ofBlanks, ofPlain, ofWords, variable } from './make.ts';

const isPath = (text: string): boolean => /^[\w.~-]*\/[\w./~-]+$/.test(text);

/** Other ways to write a path or a number, and the blanks before arguments. */
export const argumentRewriters: readonly Rewriter[] = [
  ofWords('question marks in a path', (text, random) => {
    if (!isPath(text)) return undefined;
    return text.replace(/[a-z](?=[a-z]*$)/g, (char) => (random.chance(40) ? '?' : char));
  }),
  ofWords('stars in a path', (text, random) =>
    isPath(text)
      ? text.replace(
          /[a-z]{2,}(?=[a-z]$)/,
          (middle) => `${middle.slice(0, random.below(middle.length))}*`,
        )
      : undefined,
  ),
  ofWords('bracket patterns in a path', (text, random) =>
    isPath(text)
      ? text.replace(/\w+$/, (name) =>
          [...name]
            .map((char) =>
              random.chance(40)
                ? random.pick([
                    `[${char}]`,
                    `[${char}-${char}]`,
                    `[!${variable(random)[0] === char ? '0' : '.'}]`,
                  ])
                : char,
            )
            .join(''),
        )
      : undefined,
  ),
  ofWords('dots and slashes in a path', (text, random) =>
    isPath(text)
      ? text.replaceAll('/', () => random.pick(['/', '//', '/./', '/.//', '/////']))
      : undefined,
  ),
  ofWords('folder and back', (text, random) =>
    text.startsWith('/')
      ? `${random.pick(['/etc', '/var', '/usr', '/tmp', '/etc/..'])}/..${text}`
      : undefined,
  ),
  ofWords('path from the home', (text, random) =>
    text.startsWith('/') ? `${random.pick(['~', '$HOME', '${HOME}'])}/../..${text}` : undefined,
  ),
  ofWords('path from here', (text, random) =>
    text.startsWith('/')
      ? `${random.pick(['../../..', './../../..', '$PWD/../../..'])}${text}`
      : undefined,
  ),
  ofWords('slashes cut out of a variable', (text, random) =>
    isPath(text)
      ? text.replaceAll(
          '/',
          random.pick(['${HOME%%[!/]*}', '${PWD%${PWD#?}}', '${SHELL%%b*}', '${PATH%%u*}']),
        )
      : undefined,
  ),
  ofWords('slashes by slice', (text, random) =>
    isPath(text)
      ? text.replaceAll('/', random.pick(['${HOME:0:1}', '${PATH:0:1}', '${PWD::1}']))
      : undefined,
  ),
  ofWords('slashes by printf', (text) =>
    isPath(text) ? text.replaceAll('/', "$(printf '\\57')") : undefined,
  ),
  ofWords('slashes by tr', (text, random) => {
    const mark = random.pick(['.', '+', ':', ',']);
    return isPath(text) && !text.includes(mark)
      ? `$(echo ${text.replaceAll('/', mark)}|tr ${mark} /)`
      : undefined;
  }),
  ofWords('braces in a path', (text, random) => {
    const at = text.lastIndexOf('/') + 1;
    if (!isPath(text) || text.length - at < 3) return undefined;
    const middle = at + 1 + random.below(text.length - at - 2);
    return `${text.slice(0, middle)}{${text.slice(middle)},${variable(random)}}`;
  }),
  ofWords('arithmetic for a number', (text, random) => {
    if (!/^\d{1,6}$/.test(text)) return undefined;
    const part = random.below(Number(text) + 1);
    return random.pick([
      `$((${Number(text) - part}+${part}))`,
      `$((${text}))`,
      `$((0x${Number(text).toString(16)}))`,
      `$((${Number(text) * 2}/2))`,
    ]);
  }),
  ofWords('length of a word for a number', (text) =>
    /^[1-9]$/.test(text) ? `$(printf ${'x'.repeat(Number(text))}|wc -c)` : undefined,
  ),
  ofBlanks('IFS', (_, random) =>
    random.pick(['${IFS}', '$IFS$9', '$IFS""', '${IFS}${IFS}', "$IFS''"]),
  ),
  ofBlanks('IFS, cut', (_, random) =>
    random.pick(['${IFS%??}', '${IFS#?}', '${IFS%%x*}', '${IFS:-x}']),
  ),
  ofBlanks('tabs', (_, random) => '\t'.repeat(1 + random.below(3))),
  ofBlanks('more blanks', (_, random) =>
    random.times(2 + random.below(4), () => random.pick([' ', '\t'])).join(''),
  ),
  ofBlanks('line continued', (_, random) => random.pick([' \\\n', '\\\n ', ' \\\n\t', '\t\\\n'])),
  ofBlanks('blank by printf', () => "$(printf '\\40')"),
  ofBlanks('nothing among blanks', (_, random) =>
    random.pick([
      ' $@ ',
      ` \${${variable(random)}} `,
      ' $() ',
      ' $* ',
      ` $${1 + random.below(9)} `,
    ]),
  ),
  ofBlanks('redirection among blanks', (_, random) =>
    random.pick([' 2>&1 ', ' </dev/null ', ' 2>/dev/null ', '<&0 ', ' 3>&1 ']),
  ),
  ofPlain('file by redirection', ([name, path, ...rest]) =>
    path !== undefined && rest.length === 0 && /^[/.~]/.test(path) ? `${name}<${path}` : undefined,
  ),
  ofPlain('braces for blanks', (words) => (words.length > 1 ? `{${words.join(',')}}` : undefined)),
];
