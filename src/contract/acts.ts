import type { ListAction } from './address-list.ts';
import type { AuditAct, AuditChange } from './audit.ts';
import type { Role } from './roles.ts';

/** What was done, without its actor. */
export type Act = Omit<AuditAct, 'actor' | 'address'>;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What both the management API and the command line do, as the audit has it. */
export const acts = {
  channelAdded: ({ id, name, kind }: Named & { readonly kind: string }): Act => ({
    action: 'notification.add',
    target: id,
    summary: `added the notification channel ${name} (${kind})`,
  }),
  channelRemoved: ({ id, name }: Named): Act => ({
    action: 'notification.remove',
    target: id,
    summary: `removed the notification channel ${name}`,
  }),
  channelTested: (id: string, isDelivered: boolean): Act => ({
    action: 'notification.test',
    target: id,
    summary: `sent a test to a notification channel, and it was ${isDelivered ? 'accepted' : 'not delivered'}`,
  }),
  administratorCreated: ({ name, role }: { readonly name: string; readonly role: Role }): Act => ({
    action: 'administrator.create',
    target: name,
    summary: `created the administrator ${name} with the role ${role}`,
  }),
  administratorChanged: (name: string, changes: readonly AuditChange[]): Act => ({
    action: 'administrator.change',
    target: name,
    summary: `changed the administrator ${name}`,
    changes,
  }),
  administratorRemoved: (name: string): Act => ({
    action: 'administrator.remove',
    target: name,
    summary: `removed the administrator ${name}`,
  }),
  accountUnlinked: (name: string): Act => ({
    action: 'administrator.unlink',
    target: name,
    summary: `unlinked the account of ${name} at the identity provider`,
  }),
  secondFactorReset: (name: string): Act => ({
    action: 'administrator.second-factor-reset',
    target: name,
    summary: `reset the second factor of ${name}`,
  }),
  invited: ({ name, role }: { readonly name: string; readonly role: Role }): Act => ({
    action: 'invitation.create',
    target: name,
    summary: `invited ${name} with the role ${role}`,
  }),
  addressRemoved: (
    id: string,
    { network, action }: { readonly network: string; readonly action: ListAction },
  ): Act => ({
    action: 'address.remove',
    target: id,
    summary: `took ${network} off the ${action} list`,
  }),
  learntShapeForgotten: ({ id, name }: Named): Act => ({
    action: 'shape.forget',
    target: id,
    summary: `forgot the learnt shape of the policy ${name}`,
  }),
  policyCreated: ({ id, name }: Named): Act => ({
    action: 'policy.create',
    target: id,
    summary: `created the policy ${name}`,
  }),
  policyStored: ({ id, name, version }: Named & { readonly version: number }): Act => ({
    action: 'policy.change',
    target: id,
    summary: `stored version ${version} of the policy ${name}`,
  }),
} as const;
