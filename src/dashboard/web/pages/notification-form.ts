import type { Category } from '../../../contract/category.ts';
import type {
  ChannelKind,
  ChannelWish,
  MailSecurity,
  Target,
  ThresholdFact,
} from '../../../contract/notification.ts';
import type { Severity } from '../../../contract/verdict.ts';
import type { ChannelRow } from '../api/types.ts';

/** What stands in the fields of the form, all of it as text. */
export interface ChannelForm {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly isPaused: boolean;
  readonly url: string;
  readonly secret: string;
  readonly host: string;
  readonly port: string;
  readonly security: MailSecurity;
  readonly user: string;
  readonly password: string;
  readonly from: string;
  readonly to: string;
  readonly severity: Severity;
  readonly monitored: boolean;
  readonly policies: readonly string[];
  readonly categories: readonly Category[];
  readonly hasThreshold: boolean;
  readonly count: string;
  readonly minutes: string;
  readonly per: ThresholdFact;
  readonly digest: string;
  readonly isQuiet: boolean;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly timeZone: string;
  readonly exceptCritical: boolean;
}

/** A part of the form: what it holds, and how that changes. */
export interface FormProps {
  readonly form: ChannelForm;
  readonly set: (change: Partial<ChannelForm>) => void;
}

type TextName = {
  [Name in keyof ChannelForm]: string extends ChannelForm[Name] ? Name : never;
}[keyof ChannelForm];

/** What joins a text field to its part of the form. */
export function textOf({ form, set }: FormProps, name: TextName) {
  return { value: form[name], onInput: (text: string) => set({ [name]: text }) };
}

/** The form of a channel, or of a new one. */
export function formOf(row: ChannelRow | undefined): ChannelForm {
  const { target = {}, threshold, quietHours, hears } = row ?? {};
  return {
    name: row?.name ?? '',
    kind: row?.kind ?? 'slack',
    isPaused: row?.isPaused ?? false,
    // A masked URL is not one to send back.
    url: row?.kind === 'syslog' ? (target.url ?? '') : '',
    secret: '',
    ...mailFields(target),
    severity: hears?.severity ?? 'high',
    monitored: hears?.monitored ?? false,
    policies: hears?.policies ?? [],
    categories: hears?.categories ?? [],
    hasThreshold: threshold !== undefined,
    count: String(threshold?.count ?? 10),
    minutes: String(threshold?.minutes ?? 5),
    per: threshold?.per ?? 'client',
    digest: String(row?.digestMinutes ?? 0),
    ...quietFields(quietHours),
  };
}

function mailFields(target: Target) {
  return {
    host: target.host ?? '',
    port: String(target.port ?? ''),
    security: target.security ?? 'tls',
    user: target.user ?? '',
    password: '',
    from: target.from ?? '',
    to: (target.to ?? []).join('\n'),
  };
}

function quietFields(quietHours: ChannelRow['quietHours']) {
  return {
    isQuiet: quietHours !== undefined,
    quietFrom: quietHours?.from ?? '22:00',
    quietTo: quietHours?.to ?? '07:00',
    timeZone: quietHours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    exceptCritical: quietHours?.exceptCritical ?? true,
  };
}

/** What is sent for a form. */
export function wishOf(form: ChannelForm): ChannelWish {
  const { name, kind, isPaused, severity, monitored, policies, categories } = form;
  const { quietFrom: from, quietTo: to, timeZone, exceptCritical, per } = form;
  return {
    name,
    kind,
    isPaused,
    target: targetOf(form),
    hears: { severity, monitored, policies, categories },
    digestMinutes: Number(form.digest),
    ...(form.hasThreshold && {
      threshold: { count: Number(form.count), minutes: Number(form.minutes), per },
    }),
    ...(form.isQuiet && { quietHours: { from, to, timeZone, exceptCritical } }),
  };
}

function targetOf(form: ChannelForm): Target {
  const { kind, url, secret, host, port, security, user, password, from } = form;
  if (kind !== 'email') return { ...(url && { url }), ...(secret && { secret }) };
  return {
    ...{ host, security, from, to: form.to.split(/[\s,]+/).filter((one) => one !== '') },
    ...(port && { port: Number(port) }),
    ...(user && { user }),
    ...(password && { password }),
  };
}
