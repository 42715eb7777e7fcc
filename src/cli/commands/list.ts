import type { Command } from '../command.ts';
import { addressesAllow } from './addresses-allow.ts';
import { addressesDeny } from './addresses-deny.ts';
import { addressesList } from './addresses-list.ts';
import { addressesRemove } from './addresses-remove.ts';
import { adminsAdd } from './admins-add.ts';
import { adminsDisable } from './admins-disable.ts';
import { adminsEnable } from './admins-enable.ts';
import { adminsInvite } from './admins-invite.ts';
import { adminsList } from './admins-list.ts';
import { adminsRemove } from './admins-remove.ts';
import { adminsReset } from './admins-reset.ts';
import { adminsResetSecondFactor } from './admins-reset-second-factor.ts';
import { adminsRole } from './admins-role.ts';
import { adminsUnlink } from './admins-unlink.ts';
import { backup } from './backup.ts';
import { completion } from './completion.ts';
import { configPrint } from './config-print.ts';
import { doctor } from './doctor.ts';
import { eventsExport } from './events-export.ts';
import { eventsList } from './events-list.ts';
import { eventsTail } from './events-tail.ts';
import { keysCreate } from './keys-create.ts';
import { keysList } from './keys-list.ts';
import { keysRevoke } from './keys-revoke.ts';
import { keysRotate } from './keys-rotate.ts';
import { keysUpdate } from './keys-update.ts';
import { migrate } from './migrate.ts';
import { notificationsAdd } from './notifications-add.ts';
import { notificationsList } from './notifications-list.ts';
import { notificationsRemove } from './notifications-remove.ts';
import { notificationsTest } from './notifications-test.ts';
import { openapi } from './openapi.ts';
import { policiesApply } from './policies-apply.ts';
import { policiesExport } from './policies-export.ts';
import { policiesList } from './policies-list.ts';
import { restore } from './restore.ts';
import { rules } from './rules.ts';
import { scan } from './scan.ts';
import { serve } from './serve.ts';
import { serviceInstall } from './service-install.ts';
import { servicePrint } from './service-print.ts';
import { serviceUninstall } from './service-uninstall.ts';
import { shapeCheck } from './shape-check.ts';
import { shapeImport } from './shape-import.ts';
import { shapeLearn } from './shape-learn.ts';
import { shapeLearnt } from './shape-learnt.ts';
import { shapeRemove } from './shape-remove.ts';
import { shapeShow } from './shape-show.ts';
import { status } from './status.ts';
import { up } from './up.ts';
import { version } from './version.ts';

/** All commands, in the order of the help. Heavy parts are loaded when a command runs. */
export const commands: readonly Command[] = [
  up,
  serve,
  status,
  doctor,
  keysCreate,
  keysList,
  keysUpdate,
  keysRotate,
  keysRevoke,
  addressesList,
  addressesDeny,
  addressesAllow,
  addressesRemove,
  notificationsList,
  notificationsAdd,
  notificationsTest,
  notificationsRemove,
  adminsList,
  adminsAdd,
  adminsInvite,
  adminsRole,
  adminsDisable,
  adminsEnable,
  adminsReset,
  adminsResetSecondFactor,
  adminsUnlink,
  adminsRemove,
  eventsTail,
  eventsList,
  eventsExport,
  policiesList,
  policiesExport,
  policiesApply,
  shapeImport,
  shapeShow,
  shapeCheck,
  shapeRemove,
  shapeLearn,
  shapeLearnt,
  scan,
  rules,
  configPrint,
  migrate,
  backup,
  restore,
  openapi,
  serviceInstall,
  serviceUninstall,
  servicePrint,
  completion,
  version,
];
