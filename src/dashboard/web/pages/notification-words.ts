import type {
  ChannelKind,
  MessageKind,
  MessageState,
  QuietHours,
  Threshold,
} from '../../../contract/notification.ts';
import type { ChannelRow } from '../api/types.ts';

export const kindNames: Readonly<Record<ChannelKind, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  email: 'E-mail',
  webhook: 'Webhook',
  syslog: 'Syslog',
};

export const messageKinds: Readonly<Record<MessageKind, string>> = {
  alert: 'Alert',
  digest: 'Digest',
  held: 'After quiet hours',
  test: 'Test',
};

export const messageStates: Readonly<Record<MessageState, string>> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Not delivered',
  dropped: 'Dropped',
};

/** Where the messages of a channel go. */
export function placeOf({ kind, target }: ChannelRow): string {
  if (kind !== 'email') return target.url ?? 'enter the URL again';
  return (target.to ?? []).join(', ');
}

/** What a channel hears, in one line. */
export function heardOf({ hears }: ChannelRow, policies: ReadonlyMap<string, string>): string {
  const { severity, categories, monitored } = hears;
  const of = hears.policies.map((id) => policies.get(id) ?? id);
  return [
    severity === 'low'
      ? 'every severity'
      : `${severity}${severity === 'critical' ? '' : ' or more'}`,
    ...(of.length === 0 ? [] : [`policy ${of.join(', ')}`]),
    ...(categories.length === 0 ? [] : [categories.join(', ')]),
    ...(monitored ? ['monitor mode too'] : []),
  ].join(' · ');
}

/** When a channel speaks, in one line. */
export function whenOf({ threshold, digestMinutes, quietHours }: ChannelRow): string {
  return [
    ...(threshold === undefined ? [] : [thresholdText(threshold)]),
    digestMinutes === 0 ? 'at once' : `a digest every ${digestMinutes} min`,
    ...(quietHours === undefined ? [] : [quietText(quietHours)]),
  ].join(' · ');
}

function thresholdText({ count, minutes, per }: Threshold): string {
  return `${count} in ${minutes} min of one ${per}`;
}

function quietText({ from, to, timeZone, exceptCritical }: QuietHours): string {
  return `quiet ${from} to ${to} ${timeZone}${exceptCritical ? ', but for critical' : ''}`;
}
