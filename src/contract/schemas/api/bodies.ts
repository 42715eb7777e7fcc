import { categories } from '../../category.ts';
import { limits } from '../../limits.ts';
import { contextParts } from '../../request.ts';
import { closed, moment, type Schema, textTo } from './build.ts';

const category: Schema = { enum: categories };
/** Printable, and not only spaces. */
const name: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{Cc}\\p{Cs}]*[^\\p{Cc}\\p{Cs}\\s][^\\p{Cc}\\p{Cs}]*$',
};
const password: Schema = { type: 'string', minLength: 12, maxLength: 256 };
const policyId: Schema = textTo(64);
/** Validated by the policies as a whole, with a pointer for each fault. */
const document: Schema = { type: 'object' };
const comment: Schema = { type: 'string', maxLength: 1_000 };
const version: Schema = { type: 'integer', minimum: 1 };
const pointer: Schema = { type: 'string', maxLength: limits.policyPointerCharsMax };

const place = { pointer };
const target = { category, rule: textTo(100) };
const oneTarget = { oneOf: [{ required: ['category'] }, { required: ['rule'] }] };

/** The bodies that the routes of the management API take. */
export const bodies = {
  setUp: closed({ token: textTo(200), name, password }),
  signIn: closed({ name: textTo(100), password: textTo(256) }),
  addAdministrator: closed({ name, password }),
  changePassword: closed({ current: textTo(256), password }),
  createKey: closed({ name }, { kind: { enum: ['live', 'admin'] }, expiresAt: moment, policyId }),
  changeKey: { ...closed({}, { name, expiresAt: moment, policyId }), minProperties: 1 },
  rotateKey: closed({ sunsetSeconds: { type: 'integer', minimum: 0, maximum: 31_536_000 } }),
  createPolicy: closed({ name, document }, { comment }),
  changePolicy: closed({ document, baseVersion: version, comment }, { name }),
  rollBack: closed({ version }, { comment }),
  candidate: closed({ document }),
  promote: closed({ baseVersion: version, comment }),
  exclude: {
    ...closed({ ...place, reason: textTo(1_000) }, { ...target, expiresAt: moment }),
    ...oneTarget,
  },
  previewExclusion: closed({
    policyId,
    exclusion: { ...closed(place, target), ...oneTarget },
  }),
  replay: {
    ...closed({}, { policyId, document }),
    oneOf: [{ required: ['policyId'] }, { required: ['document'] }],
  },
  explain: closed(
    { body: { type: 'object' } },
    {
      context: closed(
        {},
        Object.fromEntries(
          contextParts.map(({ part }) => [
            part,
            { type: 'string', maxLength: limits.headBytesMax },
          ]),
        ),
      ),
      policyId,
      document,
    },
  ),
} as const satisfies Readonly<Record<string, Schema>>;
