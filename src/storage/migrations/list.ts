import type { Migration } from 'kysely/migration';
import { keysMigration } from './0001-keys.ts';
import { policiesMigration } from './0002-policies.ts';
import { notifyMigration } from './0003-notify.ts';
import { adminsMigration } from './0010-admins.ts';
import { eventsMigration } from './0011-events.ts';
import { auditMigration } from './0012-audit.ts';
import { keyKindMigration } from './0013-key-kind.ts';
import { eventFactsMigration } from './0014-event-facts.ts';
import { learntShapesMigration } from './0015-learnt-shapes.ts';
import { triageMigration } from './0016-triage.ts';
import { addressListsMigration } from './0017-address-lists.ts';
import { keyBoundsMigration } from './0018-key-bounds.ts';
import { usersMigration } from './0019-users.ts';
import { notificationsMigration } from './0020-notifications.ts';
import { eventCountryMigration } from './0021-event-country.ts';
import { secondFactorMigration } from './0022-second-factor.ts';
import { singleSignOnMigration } from './0023-single-sign-on.ts';
import { wrongCodesMigration } from './0024-wrong-codes.ts';
import { eventNetworkMigration } from './0025-event-network.ts';
import { providerSessionMigration } from './0026-provider-session.ts';

/** Every migration, in order. A name never changes once it was released. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-keys': keysMigration,
  '0002-policies': policiesMigration,
  '0003-notify': notifyMigration,
  '0010-admins': adminsMigration,
  '0011-events': eventsMigration,
  '0012-audit': auditMigration,
  '0013-key-kind': keyKindMigration,
  '0014-event-facts': eventFactsMigration,
  '0015-learnt-shapes': learntShapesMigration,
  '0016-triage': triageMigration,
  '0017-address-lists': addressListsMigration,
  '0018-key-bounds': keyBoundsMigration,
  '0019-users': usersMigration,
  '0020-notifications': notificationsMigration,
  '0021-event-country': eventCountryMigration,
  '0022-second-factor': secondFactorMigration,
  '0023-single-sign-on': singleSignOnMigration,
  '0024-wrong-codes': wrongCodesMigration,
  '0025-event-network': eventNetworkMigration,
  '0026-provider-session': providerSessionMigration,
};
