import type { Url } from '../../tokenise/url.ts';
import type { ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { strongestUrl } from './place.ts';

/** A service that listens for its own machine or cluster only. */
export const internalService: ValueRule = {
  id: 'ssrf.internal-service',
  category: 'ssrf',
  cwe: 'CWE-918',
  severity: 'high',
  score: 80,
  message: 'makes the server ask a service that only the inside can reach',
  trigger: {
    literals: [
      [
        'localhost',
        '127.0.0.1',
        '://10.',
        '://192.168.',
        '://172.',
        'kubernetes',
        'docker',
        '.cluster.local',
        '://consul',
        '://vault',
        '://etcd',
      ],
    ],
  },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      const kind = url.hostKind;
      if (kind === 'internal') return isValue ? 78 : 45;
      if (kind !== 'loopback' && kind !== 'private') return 0;
      // Developers' browsers send such addresses of themselves.
      if (ownAddress.test(subject.member)) return 30;
      const isService = servicePorts.has(url.port) || isServicePath(subject, url);
      const base = kind === 'loopback' ? (isService ? 80 : 55) : isService ? 65 : 30;
      return isValue ? base : Math.min(base, 40);
    }),
  examples: [
    'http://127.0.0.1:6379/',
    'http://localhost:9200/_cat/indices',
    '/fetch?url=http://127.0.0.1/server-status',
    'https://kubernetes.default:443/api',
    'http://localhost/actuator/env',
  ],
  lookalikes: [
    'http://localhost:3000/',
    'http://127.0.0.1:8000/login',
    'http://192.168.0.1/',
    'The documentation is at http://localhost:8080/docs after the start.',
    "const client = new Client('http://localhost:9200')",
  ],
};

/**
 * Ports of administration, databases and queues, and the plain web ports that a value need not
 * name.
 */
const servicePorts: ReadonlySet<number> = new Set([
  21, 22, 23, 25, 53, 80, 110, 111, 135, 139, 143, 389, 443, 445, 465, 587, 636, 873, 993, 1099,
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 4505, 4848, 5432, 5601, 5672,
  5984, 5985, 6379, 6443, 7001, 7474, 7687, 8009, 8086, 8300, 8500, 9000, 9001, 9042, 9090, 9092,
  9200, 9300, 10050, 10250, 10255, 11211, 15672, 26379, 27017, 27018, 50070,
]);

function isServicePath(subject: Subject, url: Url): boolean {
  const path = subject.text.slice(url.pathStart, url.pathStart + 80);
  return servicePath.test(path) || (url.port < 0 && adminPath.test(path));
}

const ownAddress = /^header\.(?:referer|origin|host)$/;

const servicePath =
  /^\/(?:server-status|server-info|actuator|metrics|debug\/(?:pprof|vars)|_cat|_cluster|_nodes|_all_dbs|v1\/(?:kv|agent|catalog|secret)|v2\/(?:keys|_catalog)|containers\/|images\/json|latest\/(?:meta|user|dynamic|api)|computemetadata|metadata\/|openstack|jolokia|manager\/html|jmx|%(?:25)?61dmin|2018-06-01\/runtime|\.env|\.git|nginx_status|api\/v1\/(?:pods|secrets|namespaces))/i;

/** On a port for development these are pages like others. */
const adminPath = /^\/(?:admin|phpmyadmin|console|status|stats|solr)(?:$|[/?])/i;
