/** True for the path of what administers a machine: metadata, Docker, Spring, secrets. */
export function isControlPath(path: string): boolean {
  return controlPath.test(resolved(path));
}

/** True for a path that services of a machine answer to the machine itself. */
export function isServicePath(path: string): boolean {
  const plain = resolved(path);
  return controlPath.test(plain) || servicePath.test(plain);
}

const pathCharsMax = 400;

/** Without empty segments and steps (RFC 3986, 5.2.4), each segment with its slash behind it. */
function resolved(path: string): string {
  const [steps = ''] = path.slice(0, pathCharsMax).split(endOfPath, 1);
  const segments: string[] = [];
  for (const segment of steps.split(separator)) {
    if (twoDots.test(segment)) segments.pop();
    else if (segment !== '' && !oneDot.test(segment)) segments.push(segment);
  }
  return `/${segments.join('/')}/`;
}

const endOfPath = /[?#]/;
const separator = /[/\\]/;
const oneDot = /^(?:\.|%2e)$/i;
const twoDots = /^(?:\.|%2e){2}$/i;

const controlPath =
  /^\/(?:manager\/html|server-status|actuator\/[a-z]|latest\/(?:meta-?data|user-?data|dynamic|api\/token)|computemetadata\/|metadata\/(?:instance|identity)|opc\/v[12]\/|openstack\/latest|v1\/(?:kv|secret)|(?:v1\.\d\d\/)?(?:containers|images)\/[a-z]|2018-06-01\/runtime|jolokia|jmx-console|debug\/pprof|\.env|\.git)/i;

const servicePath =
  /^\/(?:server-info|actuator|metrics|debug\/vars|_cat|_cluster|_nodes|_all_dbs|v1\/(?:agent|catalog)|v2\/(?:keys|_catalog)|latest\/(?:meta|user|api)|metadata\/|openstack|manager\/html|jmx|%(?:25)?61dmin|nginx_status|api\/v1\/(?:pods|secrets|namespaces))/i;
