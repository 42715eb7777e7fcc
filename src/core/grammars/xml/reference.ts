import { wordList } from '../../text/words.ts';

/** What an external identifier leads to. */
type ReferenceKind = 'local' | 'network' | 'known' | 'relative' | 'none';

/** Classifies a system identifier, or any other URI that an XML parser would fetch. */
export function referenceKindOf(uri: string): ReferenceKind {
  const text = uri.trim().toLowerCase().replace(prefix, '');
  if (text === '') return 'none';
  if (localScheme.test(text) || localPath.test(text)) return 'local';
  const host = networkHost.exec(text)?.[1];
  if (host !== undefined) return isKnownHost(host) && !leadsOn.test(text) ? 'known' : 'network';
  if (text.startsWith('about:legacy-compat') || text.startsWith('urn:')) return 'known';
  return otherScheme.test(text) ? 'local' : bareHost.test(text) ? 'network' : 'relative';
}

/** Java reads what follows (`java.net.URL`). */
const prefix = /^(?:url:){1,4}/;
const localScheme =
  /^(?:file|netdoc|jar|php|expect|gopher|dict|data|ftp|local_file|phar|zip|glob|ldap|tftp|compress\.zlib|sftp|smb|jndi):/;
const localPath = /^(?:\/(?!\/[^/])|[a-z]:[\\/]|\\\\|(?:\.\.\/){3})/;
const networkHost = /^(?:https?:)?[\\/]{2}([^/\\?#:]{1,120})/;
/** A name in front of the host, or a question that a server may answer with another address. */
const leadsOn = /[@?\\]/;
const otherScheme = /^[a-z][a-z0-9+.-]{1,20}:\/\//;
/** A host without a scheme, in front of a path or of nothing; unlike `chapter.dtd`. */
const bareHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+){2,6}(?:[:/]|$)/;

/** Publishers of document types that honest documents refer to. */
const knownHosts: readonly string[] = wordList(
  'w3.org testng.org cxml.org macromedia.com nitf.org',
  'apple.com sun.com oracle.com jcp.org oasis-open.org docbook.org mybatis.org',
  'ibatis.apache.org apache.org hibernate.org sourceforge.net jboss.org jboss.com',
  'springframework.org eclipse.org netbeans.org freedesktop.org gnome.org kde.org',
  'openldap.org xmlsoap.org mozilla.org google.com wapforum.org openmobilealliance.org',
  'puppycrawl.com checkstyle.org opensymphony.com dublincore.org purl.org adobe.com',
  'microsoft.com nih.gov daisy.org idpf.org tei-c.org musicxml.org jetbrains.org',
  'logging.apache.org ietf.org python.org debian.org',
);

function isKnownHost(host: string): boolean {
  return knownHosts.some(
    (one) => host === one || (host.endsWith(one) && host.at(-one.length - 1) === '.'),
  );
}
