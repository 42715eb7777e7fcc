import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { aName } from '../grammar/words.ts';

type Rewrite = (value: string, random: Random) => string;

function csrf(name: string, rewrite: Rewrite): Rewriter {
  return {
    name,
    language: 'csrf',
    rewrite: (value, random) => {
      const result = rewrite(value, random);
      return result === value ? undefined : result;
    },
  };
}

const inAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
/** The address of the application. */
const shop = /http:\/\/(shop\.\w+)\/([\w/]*)/gi;

/** Ways in which the same page is sent from elsewhere, or the same request in another form. */
export const csrfRewriters: readonly Rewriter[] = [
  // Fetch standard: the origin of such a page is `null`.
  csrf('sandboxed frame', (value) => {
    const rights = 'allow-scripts allow-forms allow-top-navigation';
    return `<iframe sandbox="${rights}" srcdoc="${inAttribute(value)}"></iframe>`;
  }),
  csrf('data frame', (value) => {
    return `<iframe src="data:text/html,${encodeURIComponent(value)}"></iframe>`;
  }),
  csrf('no referrer', (value, random) => {
    const policy = random.pick(['no-referrer', 'same-origin', 'origin', 'unsafe-url']);
    return `<meta name="referrer" content="${policy}">${value}`;
  }),
  csrf('redirect', (value) =>
    value.replace(/(?<=[="'])http:\/\/shop\.[^"'\s<>]+/g, (url) => {
      const plain = url.replaceAll('&amp;', '&');
      return `/go?to=${encodeURIComponent(plain)}`;
    }),
  ),
  csrf('frame', (value) =>
    value.includes('target=')
      ? value
      : value.replace('<form ', '<iframe name="z"></iframe><form target="z" '),
  ),
  csrf('base address', (value) =>
    value.includes('<base')
      ? value
      : `${/http:\/\/shop\.\w+\//.exec(value)?.[0].replace(/.*/, '<base href="$&">') ?? ''}${value.replace(/(action|src|href)="http:\/\/shop\.\w+\//, '$1="/')}`,
  ),
  csrf('other address', (value, random) =>
    value.replace(shop, (_, host: string, path: string) =>
      random.pick([
        `http://${host.toUpperCase()}/${path}`,
        `http://${host}:80/${path}`,
        `http:\\${host}/${path}`,
        `http://${aName(random)}@${host}/${path}`,
        `http://${host}/${aName(random)}/../${path}`,
      ]),
    ),
  ),
  csrf('other type', (value, random) =>
    value.includes('enctype="text/plain"')
      ? value
      : value
          .replace(/ enctype="[^"]*"/, '')
          .replace(
            /<form (?=[^>]*method="post")/i,
            (tag) =>
              `${tag}enctype="${random.pick(['multipart/form-data', 'application/x-www-form-urlencoded', 'x'])}" `,
          ),
  ),
  csrf('further fields', (value, random) => {
    const name = random.pick([aName(random), 'csrf_token', '_token', 'utf8']);
    const field = `<input name="${name}" value="${aName(random)}">`;
    return value.replace('</form>', () => `${field}</form>`);
  }),
  csrf('further query', (value, random) =>
    value.replace(
      /(["'])(http:\/\/shop\.[\w/.]*)\?/g,
      (_, quote: string, url: string) => `${quote}${url}?${aName(random)}=${random.below(99)}&`,
    ),
  ),
  csrf('later', (value, random) =>
    value.replace(
      /<script>(f\.\w+\(\)|document\.forms\[0\]\.submit\(\)|b\.click\(\))<\/script>/,
      (_, call: string) =>
        random.pick([
          `<script>setTimeout(()=>${call},1)</script>`,
          `<script>addEventListener('load',()=>${call})</script>`,
          `<script>Promise.resolve().then(()=>${call})</script>`,
        ]),
    ),
  ),
  csrf('written', (value) =>
    value.includes('document.write')
      ? value
      : `<script>document.write(decodeURIComponent("${encodeURIComponent(value)}"))</script>`,
  ),
  csrf('method in another case', (value, random) =>
    value.replace(/(?<=value="|=)(?:DELETE|PUT|PATCH)(?=["&])/gi, (method) =>
      [...method]
        .map((one) => (random.chance(50) ? one.toLowerCase() : one.toUpperCase()))
        .join(''),
    ),
  ),
  csrf('parameter of a type', (value, random) =>
    value.replace(/(?<=type:')text\/plain[^']*/, () =>
      random.pick(['text/plain;charset=utf-8', 'TEXT/PLAIN', 'text/plain; application/json']),
    ),
  ),
];
