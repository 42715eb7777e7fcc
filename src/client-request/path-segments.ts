import type { MemberWriter } from './member-writer.ts';

/**
 * Adds what routers hand over of a path: each segment by itself, where it holds more than a plain
 * word. Many decode a path before they cut it, and PHP's `urldecode` makes a space of a plus.
 */
export function addSegments(writer: MemberWriter, path: string): void {
  // The rest of a path is a parameter too; behind two slashes it looks like the name of a host.
  if (path.startsWith('//')) writer.add('path', path.replace(/^\/+/, ''));
  if (!oddPath.test(path)) return;
  const segments = new Set(segmentEnds.flatMap((end) => path.split(end)));
  for (const segment of segments) if (oddPath.test(segment)) writer.add('path', segment);
}

const oddPath = /[^\w./~@:,-]/;
/**
 * No client sends a fragment, and many cut it off; parsers of URLs turn a backslash round; who
 * decodes a path before its query is cut off finds a query in it.
 */
const segmentEnds = [/[/#]/, /[/#]|%2f/i, /[/#\\]|%2f|%5c/i, /[/#\\?&]|%2f|%5c|%23|%3f|%26/i];
