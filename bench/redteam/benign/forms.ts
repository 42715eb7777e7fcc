import { allFakers, type Faker } from '@faker-js/faker';
import type { Random } from '../../lib/random.ts';
import type { BenignText, Origin } from './origin.ts';

/** Not the time of the run: the same seed gives the same texts. */
const refDate = '2026-01-01T00:00:00Z';

/** What people type into forms, in all languages of faker. */
export const forms: Origin = {
  name: 'form data',
  missing: () => [],
  *texts(random) {
    const { base: _, ...fakers } = allFakers;
    const locales = Object.values(fakers);
    for (;;) {
      const faker = random.pick(locales);
      faker.seed(random.next());
      faker.setDefaultRefDate(refDate);
      for (const made of random.times(4, () => field(random, faker))) {
        if (made !== undefined) yield made;
      }
    }
  },
};

/** Undefined where the language lacks the words for it. */
function field(random: Random, faker: Faker): BenignText | undefined {
  const [name, make] = random.pick(fields);
  try {
    const text = make(faker, random);
    return text === '' ? undefined : { name, text, kind: name.replace(/^\w+\./, '') };
  } catch {
    return undefined;
  }
}

type Field = readonly [name: string, make: (faker: Faker, random: Random) => string];

const fields: readonly Field[] = [
  ['body.name', (faker) => faker.person.fullName()],
  ['body.lastName', (faker) => faker.person.lastName()],
  ['body.title', (faker) => faker.person.jobTitle()],
  ['body.bio', (faker) => faker.person.bio()],
  ['body.company', (faker) => faker.company.name()],
  ['body.slogan', (faker) => faker.company.catchPhrase()],
  ['body.address', (faker) => faker.location.streetAddress({ useFullAddress: true })],
  ['body.city', (faker) => `${faker.location.zipCode()} ${faker.location.city()}`],
  ['body.country', (faker) => faker.location.country()],
  ['body.phone', (faker) => faker.phone.number()],
  ['body.email', (faker) => faker.internet.email()],
  ['body.username', (faker) => faker.internet.username()],
  ['body.password', (faker) => faker.internet.password({ memorable: faker.number.int(1) === 1 })],
  [
    'body.password',
    (faker) => faker.string.symbol({ min: 4, max: 10 }) + faker.string.alphanumeric(8),
  ],
  ['body.website', (faker) => faker.internet.url()],
  ['header.user-agent', (faker) => faker.internet.userAgent()],
  ['body.avatar', (faker) => faker.image.dataUri({ type: 'svg-base64' })],
  ['body.product', (faker) => faker.commerce.productName()],
  ['body.description', (faker) => faker.commerce.productDescription()],
  ['body.price', (faker) => faker.commerce.price({ symbol: '€ ' })],
  ['query.q', (faker) => `${faker.commerce.productMaterial()} ${faker.commerce.product()}`],
  ['query.q', (faker, random) => faker.lorem.words(1 + random.below(6))],
  ['body.subject', (faker) => faker.lorem.sentence()],
  ['body.comment', (faker, random) => faker.lorem.paragraphs(1 + random.below(4))],
  ['body.message', (faker) => message(faker)],
  ['body.iban', (faker) => faker.finance.iban({ formatted: true })],
  ['body.note', (faker) => faker.finance.transactionDescription()],
  ['body.phrase', (faker) => faker.hacker.phrase()],
  ['body.file', (faker) => faker.system.commonFileName()],
  ['body.cron', (faker) => faker.system.cron({ includeNonStandard: true })],
  ['body.commit', (faker) => faker.git.commitMessage()],
  ['body.log', (faker) => faker.git.commitEntry()],
  ['body.token', (faker) => faker.internet.jwt({ header: { alg: 'HS256', typ: 'JWT' }, refDate })],
  ['body.quote', (faker) => `"${faker.lorem.sentence()}" – ${faker.person.fullName()}`],
  ['body.book', (faker) => `${faker.book.title()} (${faker.book.author()})`],
  ['body.song', (faker) => `${faker.music.songName()} / ${faker.music.artist()}`],
  ['body.dish', (faker) => `${faker.food.dish()}: ${faker.food.description()}`],
];

function message(faker: Faker): string {
  const { person, lorem, location } = faker;
  return `${person.prefix()} ${person.lastName()},\n\n${lorem.paragraph()}\n\n${person.fullName()}\n${location.streetAddress()}\n${location.city()}`;
}
