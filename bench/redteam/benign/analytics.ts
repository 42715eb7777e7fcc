import { allFakers, type Faker } from '@faker-js/faker';
import type { Random } from '../../lib/random.ts';
import type { BenignText, Origin } from './origin.ts';

/** What browsers and trackers send: events, addresses with campaigns, referrers with searches. */
export const analytics: Origin = {
  name: 'analytics',
  missing: () => [],
  *texts(random) {
    const fakers = [allFakers.en, allFakers.de, allFakers.fr, allFakers.ja, allFakers.ru];
    const more = [allFakers.es, allFakers.pl, allFakers.zh_CN, allFakers.ar, allFakers.tr];
    for (;;) {
      const faker = random.pick([...fakers, ...more]);
      faker.seed(random.next());
      yield made(random, faker);
    }
  },
};

function made(random: Random, faker: Faker): BenignText {
  switch (random.below(7)) {
    case 0:
    case 1:
      return { name: 'header.referer', text: searchUrl(random, faker), kind: 'search referrer' };
    case 2:
      return { name: 'header.referer', text: shopUrl(random, faker), kind: 'shop referrer' };
    case 3:
      return { name: 'body.page_url', text: shopUrl(random, faker), kind: 'page address' };
    case 4:
      return { name: 'query.q', text: words(random, faker), kind: 'search' };
    case 5:
      return { name: 'header.cookie', text: cookies(random, faker), kind: 'cookies' };
    default:
      return { name: 'body.event', text: event(random, faker), kind: 'event' };
  }
}

const questions = [
  (thing: string) => `how to select ${thing} from a table`,
  (thing: string) => `"${thing}" -used site:example.com`,
  (thing: string) => `${thing} OR ${thing} pro vs max`,
  (thing: string) => `${thing} & accessories < 50€`,
  (thing: string) => `what's the best ${thing}? (2026)`,
  (thing: string) => `${thing} 12" | 30cm; black`,
  (thing: string) => `drop ${thing} off at Macy's`,
  (thing: string) => `${thing} price:10..50 sort:new`,
  (thing: string) => `c:\\program files\\${thing} error 0x80070057`,
  (thing: string) => `$HOME/.${thing}rc not found`,
  (thing: string) => `${thing}.equals(null) or ${thing} == null`,
  (thing: string) => `=SUM(A1:A10) ${thing}`,
  (thing: string) => `<${thing}> tag html`,
  (thing: string) => thing,
];

function words(random: Random, faker: Faker): string {
  const thing = random.chance(50) ? faker.commerce.product() : faker.lorem.words(2);
  return random.pick(questions)(random.chance(50) ? thing.toLowerCase() : thing);
}

const engines = [
  ['https://www.google.com/search', 'q', 'sca_esv=f1&ei=Zq8&oq='],
  ['https://www.google.de/url', 'q', 'sa=t&rct=j&esrc=s&source=web&ved=2ahUKE&usg=AOv'],
  ['https://www.bing.com/search', 'q', 'form=QBLH&sp=-1&pq='],
  ['https://duckduckgo.com/', 'q', 't=h_&ia=web'],
  ['https://yandex.ru/search/', 'text', 'lr=213&clid=2270455'],
  ['https://www.baidu.com/s', 'wd', 'rsv_spt=1&ie=utf-8'],
  ['https://search.yahoo.com/search', 'p', 'fr=yfp-t&fp=1&toggle=1'],
] as const;

function searchUrl(random: Random, faker: Faker): string {
  const [base, name, rest] = random.pick(engines);
  const encoded = encodeURIComponent(words(random, faker));
  const query = random.chance(60) ? encoded.replaceAll('%20', '+') : encoded;
  return `${base}?${random.chance(50) ? `${name}=${query}&${rest}` : `${rest}&${name}=${query}`}`;
}

function shopUrl(random: Random, faker: Faker): string {
  const url = new URL(`https://shop.example.com/${random.pick(['c', 'p', 'search', 'blog'])}/`);
  url.pathname += `${faker.helpers.slugify(faker.commerce.productName())}-${random.below(99_999)}`;
  const parameters: readonly (readonly [string, string])[] = [
    ['utm_source', random.pick(['google', 'newsletter', 'fb', 'partner|de'])],
    ['utm_campaign', `${faker.commerce.department()} -${random.below(70)}% (${random.below(99)})`],
    ['utm_term', `+${words(random, faker)}`],
    ['gclid', faker.string.alphanumeric(60)],
    ['filter[price]', `${random.below(50)}-${random.below(500)}`],
    ['sort', random.pick(['price,asc', '-created_at', 'name desc'])],
    ['redirect', `/account/orders?id=${random.below(999)}&tab=all`],
    ['q', words(random, faker)],
    ['ref', `https://blog.example.org/?s=${words(random, faker)}`],
  ];
  for (const [name, value] of random.shuffled(parameters).slice(0, 1 + random.below(6))) {
    url.searchParams.append(name, value);
  }
  return url.href;
}

function cookies(random: Random, faker: Faker): string {
  const id = `GA1.1.${random.next()}.${1_700_000_000 + random.below(90_000_000)}`;
  const consent = encodeURIComponent(JSON.stringify({ ads: random.chance(50), v: 2, t: 'a|b' }));
  const last = encodeURIComponent(searchUrl(random, faker));
  return `_ga=${id}; _gid=${id}; consent=${consent}; session=${faker.string.alphanumeric(40)}; last_ref=${last}`;
}

function event(random: Random, faker: Faker): string {
  const name = random.pick(['page_view', 'add_to_cart', 'search', 'exception', 'click']);
  const properties = {
    $current_url: shopUrl(random, faker),
    $referrer: searchUrl(random, faker),
    search_term: words(random, faker),
    selector: `div.main > ul:nth-child(${random.below(9)}) a[href^="/p/"]`,
    item: { id: faker.string.uuid(), name: faker.commerce.productName(), price: random.below(900) },
    error: random.pick([
      `TypeError: Cannot read properties of undefined (reading '${faker.lorem.word()}')`,
      'Uncaught (in promise) Error: Loading chunk 4 failed.\n    at https://shop.example.com/a.js:1:2',
    ]),
    userAgent: faker.internet.userAgent(),
  };
  const kept = random.shuffled(Object.entries(properties)).slice(0, 2 + random.below(5));
  return JSON.stringify({
    event: name,
    timestamp: random.next(),
    properties: Object.fromEntries(kept),
  });
}
