/**
 * The prefixes that a document binds to a namespace (Namespaces in XML 1.0, 3): which letters stand
 * for it is the author's choice. The empty prefix is the default namespace.
 */
export function prefixesOf(text: string, namespace: RegExp): ReadonlySet<string> {
  const prefixes = new Set<string>();
  let count = 0;
  for (const [, prefix = '', uri = ''] of text.matchAll(binding)) {
    if (namespace.test(uri)) prefixes.add(prefix.toLowerCase());
    if (++count >= bindingsMax) break;
  }
  return prefixes;
}

const bindingsMax = 256;
const binding = /\sxmlns(?::([a-z_][\w.-]{0,40}))?\s{0,8}=\s{0,8}["']([^"'<>]{1,200})/gi;
