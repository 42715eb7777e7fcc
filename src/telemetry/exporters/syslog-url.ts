interface Host {
  readonly facility: number;
  readonly host: string;
  readonly port: number;
  /** Where the host was found; without it, the host is resolved with each connection. */
  readonly address?: string;
}

/** A receiver of datagrams. */
export interface DatagramTarget extends Host {
  readonly kind: 'udp';
}

/** A receiver with a connection. */
export type StreamTarget =
  | (Host & { readonly kind: 'tcp' | 'tls' })
  | { readonly facility: number; readonly kind: 'unix'; readonly path: string };

/** Where a syslog receiver is. */
export type SyslogTarget = DatagramTarget | StreamTarget;

/** The facilities that a service may use, with their numbers (RFC 5424, section 6.2.1). */
const facilities: Readonly<Record<string, number>> = {
  user: 1,
  daemon: 3,
  auth: 4,
  authpriv: 10,
  audit: 13,
  alert: 14,
  local0: 16,
  local1: 17,
  local2: 18,
  local3: 19,
  local4: 20,
  local5: 21,
  local6: 22,
  local7: 23,
};

const defaultPorts = { udp: 514, tcp: 601, tls: 6_514 } as const;

/** Reads `tcp://host:601?facility=local4`; undefined for what is none. */
export function parseSyslogUrl(text: string): SyslogTarget | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, searchParams } = new URL(text);
  const facility = facilities[searchParams.get('facility') ?? 'local0'];
  if (facility === undefined) return undefined;
  const kind = protocol.slice(0, -1);
  if (kind === 'unix') {
    return pathname.length > 1 ? { kind, facility, path: decodeURI(pathname) } : undefined;
  }
  if ((kind !== 'udp' && kind !== 'tcp' && kind !== 'tls') || hostname === '') return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const place = { facility, host, port: port === '' ? defaultPorts[kind] : Number(port) };
  return kind === 'udp' ? { kind, ...place } : { kind, ...place };
}
