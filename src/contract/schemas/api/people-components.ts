import { closed, count, flag, listOf, moment, ref, role, type Schema, text } from './build.ts';

const any: Schema = {};

/** Schemas of who may sign in, and of what they did. */
export const peopleComponents: Readonly<Record<string, Schema>> = {
  User: closed({ name: text, role }),
  Administrator: closed(
    { name: text, role, createdAt: moment, disabled: flag, hasPassword: flag, secondFactor: flag },
    { signedInAt: moment, account: text },
  ),
  SecondFactor: closed({ isOn: flag, recoveryCodes: count }),
  SingleSignOn: closed({ isConfigured: flag }, { account: text }),
  Invitation: closed({ name: text, role, invitedBy: text, createdAt: moment, expiresAt: moment }),
  Session: closed({
    id: text,
    name: text,
    address: text,
    agent: text,
    createdAt: moment,
    seenAt: moment,
    isCurrent: flag,
  }),
  AuditEntry: closed(
    { id: text, at: moment, actor: text, action: text, target: text, summary: text },
    { address: text, changes: listOf(ref('AuditChange')) },
  ),
  AuditChange: closed({ field: text }, { from: any, to: any }),
};
