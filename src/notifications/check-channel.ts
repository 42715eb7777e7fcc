import type {
  Channel,
  ChannelKind,
  ChannelProblem,
  ChannelWish,
  Target,
} from '../contract/notification.ts';
import { isLocalHost, refusedLiteral } from '../telemetry/exporters/outgoing-address.ts';
import { parseSyslogUrl } from '../telemetry/exporters/syslog-url.ts';
import { isTimeOfDay, isTimeZone } from './quiet-hours.ts';

/** What a channel is checked against. */
export interface CheckParts {
  readonly hasPolicy: (id: string) => Promise<boolean>;
  /** Whether messages may leave unencrypted. */
  readonly isPlainAllowed: boolean;
}

const members: Readonly<Record<ChannelKind, readonly (keyof Target)[]>> = {
  webhook: ['url', 'secret'],
  slack: ['url'],
  teams: ['url'],
  email: ['host', 'port', 'security', 'user', 'password', 'from', 'to'],
  syslog: ['url'],
};

const mailPorts = { tls: 465, starttls: 587, none: 25 } as const;
/** One address without a name, and nothing that could end a line or begin another address. */
const mailAddress = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}]{1,190}$/u;
const hostName = /^[A-Za-z0-9.:-]{1,253}$/;
const whsecBase64 = /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/;
const secretCharsMin = 16;

/**
 * The target that a wish stands for: secrets that it leaves out are those of before. A password
 * stays with the server and the user that it was given for: no change of these sends it elsewhere.
 */
export function filledTarget(wish: ChannelWish, before: Channel | undefined): Target {
  const given = withoutEmpty(wish.target);
  const kept = before?.kind === wish.kind ? before.target : {};
  if (wish.kind === 'email') {
    const security = given.security ?? 'tls';
    const filled = { security, port: mailPorts[security], ...given };
    const isSame = (['host', 'port', 'security', 'user'] as const).every(
      (name) => filled[name] === kept[name],
    );
    const password = given.password ?? (isSame ? kept.password : undefined);
    return { ...filled, ...(password && { password }) };
  }
  const url = given.url ?? kept.url;
  // An empty secret removes it.
  const secret = wish.target.secret === undefined ? kept.secret : given.secret;
  return { ...given, ...(url && { url }), ...(secret && { secret }) };
}

/** Everything that is wrong with a channel. */
export async function problemsOf(
  wish: ChannelWish,
  { hasPolicy, isPlainAllowed }: CheckParts,
): Promise<readonly ChannelProblem[]> {
  const { kind, target, hears } = wish;
  const problems: ChannelProblem[] = [];
  const add = (pointer: string, message: string) => problems.push({ pointer, message });
  for (const name of Object.keys(target)) {
    const isUsed = (members[kind] as readonly string[]).includes(name);
    if (!isUsed) add(`/target/${name}`, `is not used for ${kind}; remove it`);
  }
  if (kind === 'email') mailProblems(target, isPlainAllowed, add);
  else if (kind === 'syslog') syslogProblems(target, isPlainAllowed, add);
  else urlProblems(target, isPlainAllowed, add);
  if (target.secret !== undefined && !isSecret(target.secret)) {
    add(
      '/target/secret',
      `must have ${secretCharsMin} characters or more, without spaces; after whsec_ base64`,
    );
  }
  quietProblems(wish, add);
  for (const [index, id] of hears.policies.entries()) {
    if (!(await hasPolicy(id))) add(`/hears/policies/${index}`, 'is not the id of a policy');
  }
  return problems;
}

type Add = (pointer: string, message: string) => void;

function urlProblems({ url }: Target, isPlainAllowed: boolean, add: Add): void {
  const pointer = '/target/url';
  if (url === undefined) return add(pointer, 'is missing');
  if (!URL.canParse(url)) return add(pointer, 'must be a URL such as https://host/path');
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return add(pointer, 'must not contain a user name');
  if (protocol !== 'https:' && protocol !== 'http:')
    return add(pointer, 'must begin with https://');
  if (protocol === 'http:' && !isPlainAllowed && !isLocalHost(hostname)) {
    return add(pointer, 'must begin with https://; http only with the setting notifyPlain');
  }
  const refused = refusedLiteral(hostname, isPlainAllowed);
  if (refused !== undefined) add(pointer, `cannot be used. ${refused}`);
}

function syslogProblems({ url }: Target, isPlainAllowed: boolean, add: Add): void {
  const pointer = '/target/url';
  if (url === undefined) return add(pointer, 'is missing');
  const target = parseSyslogUrl(url);
  if (target === undefined || target.kind === 'unix') {
    return add(pointer, 'must be a URL such as tls://host:6514, tcp://host:601 or udp://host:514');
  }
  if (target.kind !== 'tls' && !isPlainAllowed && !isLocalHost(target.host)) {
    return add(pointer, 'must begin with tls://; tcp and udp only with the setting notifyPlain');
  }
  const refused = refusedLiteral(target.host, isPlainAllowed);
  if (refused !== undefined) add(pointer, `cannot be used. ${refused}`);
}

function mailProblems(target: Target, isPlainAllowed: boolean, add: Add): void {
  const { host = '', security, user, password, from = '', to = [] } = target;
  if (!hostName.test(host)) add('/target/host', 'must be the name or address of a mail server');
  const refused = refusedLiteral(host, isPlainAllowed);
  if (refused !== undefined) add('/target/host', `cannot be used. ${refused}`);
  if (security === 'none' && !isPlainAllowed && !isLocalHost(host)) {
    add('/target/security', 'must be tls or starttls; none only with the setting notifyPlain');
  }
  if (user !== undefined && password === undefined) {
    add('/target/password', 'is missing; it is needed again when server, port or user change');
  }
  if (user === undefined && password !== undefined) add('/target/user', 'is missing');
  if (!mailAddress.test(from)) add('/target/from', 'must be an address such as gate@example.com');
  if (to.length === 0) add('/target/to', 'is missing');
  for (const [index, one] of to.entries()) {
    if (!mailAddress.test(one)) {
      add(`/target/to/${index}`, 'must be an address such as team@example.com');
    }
  }
}

function quietProblems({ quietHours }: ChannelWish, add: Add): void {
  if (quietHours === undefined) return;
  const { from, to, timeZone } = quietHours;
  for (const [name, time] of Object.entries({ from, to })) {
    if (!isTimeOfDay(time)) add(`/quietHours/${name}`, 'must be a time such as 22:00');
  }
  if (from === to) add('/quietHours/to', 'must differ from the beginning');
  if (!isTimeZone(timeZone)) {
    add('/quietHours/timeZone', 'must be a time zone such as Europe/Berlin');
  }
}

function isSecret(text: string): boolean {
  if (text.length < secretCharsMin || /\s/.test(text)) return false;
  return !text.startsWith('whsec_') || whsecBase64.test(text);
}

/** A form sends empty texts for fields that were left empty. */
function withoutEmpty(target: Target): Target {
  return Object.fromEntries(Object.entries(target).filter(([, value]) => value !== ''));
}
