import { networkOf } from '../../src/contract/address.ts';

// A writer for the MaxMind DB file format specification, version 2.0
// (https://maxmind.github.io/MaxMind-DB/): what the tests need of it, with records of 24 bits.

type Value = string | number | readonly Value[] | { readonly [name: string]: Value };

/** A network, such as `203.0.113.0/24`, and what is known of it. */
export type Entry = readonly [network: string, record: Value];

/** A node of the search tree: what follows on a bit of 0 and of 1. */
type Node = [Branch, Branch];
type Branch = Node | { readonly record: Value } | undefined;

const separatorBytes = 16;
const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const types = { text: 2, uint32: 6, map: 7, array: 11 } as const;

/** A database of IPv6, in which IPv4 lies below `::/96`. No network may lie within another one. */
export function mmdbFile(entries: readonly Entry[], type = 'GeoLite2-ASN'): Buffer {
  const root: Node = [undefined, undefined];
  for (const [network, record] of entries) put(root, network, record);
  const nodes = [...walk(root)];
  const numbers = new Map(nodes.map((node, index) => [node, index]));
  const data: Buffer[] = [];
  let dataBytes = 0;
  const pointerTo = (branch: Branch): number => {
    if (branch === undefined) return nodes.length;
    if (Array.isArray(branch)) return numbers.get(branch) ?? nodes.length;
    const record = encoded(branch.record);
    const place = nodes.length + separatorBytes + dataBytes;
    data.push(record);
    dataBytes += record.length;
    return place;
  };
  const tree = Buffer.alloc(nodes.length * 6);
  nodes.forEach(([zero, one], index) => {
    tree.writeUIntBE(pointerTo(zero), index * 6, 3);
    tree.writeUIntBE(pointerTo(one), index * 6 + 3, 3);
  });
  const metadata = encoded({
    node_count: nodes.length,
    record_size: 24,
    ip_version: 6,
    database_type: type,
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_767_225_600,
    description: { en: 'made by a test' },
  });
  return Buffer.concat([tree, Buffer.alloc(separatorBytes), ...data, marker, metadata]);
}

function put(root: Node, text: string, record: Value): void {
  const network = networkOf(text);
  if ('problem' in network) throw new Error(`${text} ${network.problem}`);
  // The format has IPv4 below `::/96`, not in its mapped form.
  const words = text.includes(':') ? network.words : [0, 0, 0, network.words[3] ?? 0];
  let node = root;
  for (let bit = 0; bit < network.bits; bit++) {
    const side = ((words[bit >>> 5] ?? 0) >>> (31 - (bit & 31))) & 1;
    if (bit === network.bits - 1) {
      if (node[side] !== undefined) throw new Error(`${text} lies within or around another one`);
      node[side] = { record };
      return;
    }
    node[side] ??= [undefined, undefined];
    const next: Branch = node[side];
    if (!Array.isArray(next)) throw new Error(`${text} lies within another network`);
    node = next;
  }
}

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const branch of node) if (Array.isArray(branch)) yield* walk(branch);
}

/** A field of the data section: its control bytes, and its payload. */
function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([control(types.text, text.length), text]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(types.uint32, 4), bytes]);
  }
  if (isList(value)) {
    return Buffer.concat([control(types.array, value.length), ...value.map(encoded)]);
  }
  const members = Object.entries(value);
  return Buffer.concat([control(types.map, members.length), ...members.flat().map(encoded)]);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Types above 7 are extended: their number less 7 stands in a second byte. Sizes from 29 on go on. */
function control(type: number, size: number): Buffer {
  const large =
    size < 29 ? [] : size < 285 ? [size - 29] : [(size - 285) >>> 8, (size - 285) & 255];
  const sizeBits = size < 29 ? size : size < 285 ? 29 : 30;
  const first = type > 7 ? [sizeBits, type - 7] : [(type << 5) | sizeBits];
  return Buffer.from([...first, ...large]);
}
