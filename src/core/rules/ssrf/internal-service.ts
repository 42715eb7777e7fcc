import { type Url, urlLiterals } from '../../grammars/url/url.ts';
import { isControlPath, isServicePath } from '../../knowledge/service-path.ts';
import { confidence } from '../../placement/confidence.ts';
import {
  controlPorts,
  isFetchScheme,
  isLoadedBy,
  isOwnAddress,
  isOwnHeader,
  isUrlMember,
  pictureMember,
  strongestUrl,
  wordlessPorts,
} from '../../placement/fetch-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordSet } from '../../text/words.ts';
import { inMember, type ValueRule } from '../rule.ts';

/** A service that listens for its own machine or cluster only. */
export const internalService: ValueRule = {
  id: 'ssrf.internal-service',
  score: confidence.strong,
  message: 'makes the server call a service that only the internal network can reach',
  trigger: { literals: [urlLiterals] },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      const kind = url.hostKind;
      if (kind === 'internal' || isNeighbour(subject.text, url)) {
        return isValue && !isOwnHeader(subject.member) ? confidence.strong : confidence.trace;
      }
      // Connections to databases and queues are settings; they fetch nothing.
      if ((kind !== 'loopback' && kind !== 'private') || !isFetchScheme(url.scheme)) return 0;
      // Developers' browsers send such addresses of themselves.
      if (isOwnAddress(subject, url)) return confidence.trace;
      const score = serviceScore(subject, url);
      if (isValue) return score;
      return score >= confidence.likely && isLoadedBy(subject.text, url.start)
        ? confidence.likely
        : Math.min(score, confidence.trace);
    }),
  examples: [
    ...['http://127.0.0.1:6379/', 'http://localhost:9200/_cat/indices', 'http://10.9.8.7:6379/'],
    ...['/fetch?url=http://127.0.0.1/server-status', 'https://kubernetes.default:443/api'],
    ...['http://localhost/actuator/env', 'http://localhost:8080/admin', 'http://db.internal:5432'],
    ...['http://172.20.0.4:8080/manager/html', 'http://localhost%00.example.com/'],
    ...['https://10.9.8.7:10250/pods', 'http://cache.corp:11211/stats', 'http://redis:6379/'],
    ...['http://web.service.consul:8080/', 'http://unix:/run/docker.sock:/containers/json'],
    ...['http://elasticsearch:9200/_search', 'http://172.16.0.5:9200/_search?q=x'],
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1:9200/_nodes"/></svg>',
    ...['http://127.0.0.1/', 'http://10.0.0.1/admin', 'https://10.74.17.59/v1.24/containers/json'],
    'http://172.26.177.0/metadata/instance?api-version=2021-02-01',
    ...['ftps://172.16.165.232/./latest/meta-data/', 'http://shop.localhost/server-status'],
    ...['http://[fd2f::729]:11211/', 'http://10.20.30.41:80/admin'],
    ...['https://10.9.8.7/_cat/indices', 'http://172.16.0.5/v1.41/./x/..//containers/json'],
    'http://shop.localhost:34288/admin:',
    ...inMember('query.url', 'http://LOCALHOST', 'http://localhost/photos'),
    ...inMember('callback_url', 'http://consul:8500/v1/kv', 'http://10.0.0.5/hooks'),
    ...inMember('callback_url', 'http://127.0.0.1:2375/containers/json', 'http://127.0.0.1/admin'),
    ...inMember('url', 'http://[fec0::7]/photos', 'http://10.114.45.216/status'),
    { body: { image_url: 'http://localhost:8000/internal' } },
    { body: { feed: 'http://192.168.0.1/' } },
    { body: { redirect_uri: 'http://127.0.0.1/server-status' } },
    { body: { webhook_url: 'http://192.168.7.4:80/x' } },
    { body: { alg: 'RS256', jku: 'http://127.0.0.1:8000/keys.json' } },
  ],
  lookalikes: [
    ...['http://localhost:3000/', 'http://shop.localhost:3000/login', 'http://192.168.0.1/'],
    ...['https://[fd74::692]:8443/photos', 'http://192.168.1.20/metadata/albums'],
    ...['http://127.0.0.1:8000/login', 'http://localhost:8000/admin/', 'http://10.0.0.5:9200'],
    ...['http://wiki.intranet:8080/page', 'redis://redis:6379/0', 'amqp://rabbitmq:5672/'],
    ...['http://db:8080/', 'https://grafana.corp:3000/d/1', 'https://nas.local:5001/'],
    ...['http://unix.example.com/', 'postgres://app:pw@localhost:5432/app'],
    ...['<a href="http://localhost:9200/_cat">the list</a>', 'http://localhost/wordpress/'],
    'The documentation is at http://localhost:8080/docs after the start.',
    "const client = new Client('http://localhost:9200')",
    ...inMember('callback_url', 'http://localhost:3000/cb', 'http://127.0.0.1:51004/metadata'),
    ...inMember('redirect_uri', 'http://192.168.1.7/done', 'http://127.0.0.1:8080/admin'),
    ...inMember('header.referer', 'http://127.0.0.1/', 'http://host.docker.internal:8080/photos'),
    { body: { site_url: 'http://localhost/' } },
    { body: { page_location: 'http://localhost/' } },
    { body: { home: 'http://192.168.1.1/admin/' } },
    { body: { photo: 'http://192.168.0.20/photos/1.jpg' } },
    { body: { 'document-uri': 'http://localhost/' } },
    { body: { url: 'http://localhost:3000/photos' } },
    { body: { webhook: 'http://10.0.0.3:8080/hook' } },
    { body: { event: 'view', properties: { $current_url: 'http://localhost/' } } },
    { body: { events: [{ url: 'http://10.0.0.3/photos' }] } },
  ],
};

/** Where a URL stands. */
export type Place = Pick<Subject, 'text' | 'member' | 'depth'>;

/** What a URL of the own machine or network means as the value of a member. */
export function serviceScore(place: Place, url: Url): number {
  return url.hostKind === 'loopback' ? loopbackScore(place, url) : privateScore(place, url);
}

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

/** `http://redis:6379`: a container beside the server, by the name that everybody gives it. */
function isNeighbour(text: string, url: Url): boolean {
  if (!url.scheme.startsWith('http') || !servicePorts.has(url.port)) return false;
  return neighbours.has(text.slice(url.hostStart, url.hostEnd).toLowerCase());
}

const neighbours: ReadonlySet<string> = wordSet(
  'redis mysql postgres db mongo mongodb elasticsearch rabbitmq memcached docker',
);

function loopbackScore(subject: Place, url: Url): number {
  // What a check reads as a name of somebody else's domain.
  if (cutName.test(subject.text.slice(url.hostEnd, url.hostEnd + 3))) return confidence.strong;
  const path = subject.text.slice(url.pathStart, url.pathStart + 80);
  if (servicePorts.has(url.port) || isServicePath(path)) return confidence.strong;
  if (keyMember.test(subject.member)) return confidence.strong;
  if (pictureMember.test(subject.member)) return confidence.likely;
  // The plain root of the machine that fetches; who names a site of his own says so.
  if (url.port < 0 && rootPath.test(path) && !mayBeOwn(subject)) return confidence.likely;
  if (url.port < 0 && isFetched(subject)) return confidence.likely;
  return !developmentPorts.has(url.port) && adminPath.test(path)
    ? confidence.likely
    : confidence.hint;
}

/** Addresses of an intranet are in many honest settings; only what administers machines is not. */
function privateScore(subject: Place, url: Url): number {
  const path = subject.text.slice(url.pathStart, url.pathStart + 80);
  if (controlPorts.has(url.port) && controlPath.test(path)) return confidence.strong;
  if (isControlPath(path)) return confidence.likely;
  if (searchPath.test(path)) return confidence.likely;
  if (wordlessPorts.has(url.port) && url.scheme.startsWith('http')) return confidence.likely;
  // No picture is the root of a web server.
  if (rootPath.test(path) && pictureMember.test(subject.member)) return confidence.likely;
  if (adminPath.test(path) && hasUsualPort(url) && !mayBeOwn(subject)) return confidence.likely;
  if (hasUsualPort(url) && isFetched(subject)) return confidence.likely;
  return confidence.hint;
}

/** With or without the port that the scheme means. */
function hasUsualPort(url: Url): boolean {
  return url.port < 0 || url.port === (url.scheme === 'https' ? 443 : 80);
}

const controlPath = /^\/[a-z]/i;

/** Where developers run their own pages. */
const developmentPorts: ReadonlySet<number> = new Set([
  3000, 3001, 3002, 3003, 4000, 4200, 4321, 5000, 5001, 5173, 5174, 8000, 8001, 8081, 8888,
]);

/** A control character, and the name goes on. */
const cutName = /^[\u0000-\u001f]{1,2}\.\w?/;

/** The keys that a token brings along: no issuer publishes them on the verifier's own machine. */
const keyMember = /^(?:jku|x5u)$/;

/** `http://127.0.0.1`, `http://127.0.0.1/`, and the end. */
const rootPath = /^\/?(?:$|[\s"'&])/;

/**
 * Members that somebody names a site in, or that a browser fills; what is nested deeper is often
 * an event or a trace of a page that a developer looks at.
 */
function mayBeOwn({ member, depth }: Place): boolean {
  return depth > 1 || ownSite.test(member);
}

/** A field of a form that holds what the server is to fetch, by its name. */
function isFetched({ member, depth }: Place): boolean {
  return depth === 1 && (isUrlMember(member) || machineMember.test(member));
}

/** A host or the URL of one. */
const machineMember = /^(?:query\.|body\.)?(?:proxy|endpoint)$/i;

const ownSite =
  /site|home|base|host|origin|referr?er|redirect|back|document|page|blog|app|server|audience|issuer|location|href|current|landing|^aud$|^dl$/i;

/** Elasticsearch hands out its documents, also from behind another server. */
const searchPath = /^\/(?:[\w,*-]{1,60}\/)?_(?:search|all|aliases|cat|nodes|cluster)\b/;

/** On a port of development these are pages like others. */
const adminPath = /^\/(?:admin|phpmyadmin|console|status|stats|solr)(?:$|[/?#:;])/i;
