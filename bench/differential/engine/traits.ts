import type { Disagreement } from './check.ts';
import { headerOf, type WireRequest } from './wire-request.ts';

/** The class of a disagreement: where it was seen, and what is special about the request. */
export function classOf(disagreement: Disagreement, request: WireRequest): string {
  const place = disagreement.where.replace(headerName, 'header *');
  const traits = ofHead.test(place) ? [] : traitsOf(request);
  return [disagreement.kind, `in ${place}`, ...traits].join(' | ');
}

/** Places that have nothing to do with the body. */
const ofHead = /^(?:url|query|params|header|cookie|method)/;

/** All headers are one place; the smallest request shows which it was. */
const headerName = /^header (?!name$)[^ ]+/;

function traitsOf(request: WireRequest): string[] {
  const { body } = request;
  if (body.length === 0) return [];
  const types = request.headers.filter(([name]) => name.toLowerCase() === 'content-type');
  const type = headerOf(request, 'content-type');
  const coding = headerOf(request, 'content-encoding');
  const charset = /charset[ =]*["']?([\w-]+)/i.exec(type)?.[1];
  const traits = [`type ${essenceOf(type)}`, `body ${shapeOf(body)}`];
  if (types.length > 1) traits.push('types 2');
  if (charset !== undefined) traits.push(`charset ${charset.toLowerCase()}`);
  if (coding !== '') traits.push(`coding ${knownCoding.test(coding) ? coding : 'other'}`);
  if (type.toLowerCase().startsWith('multipart/')) traits.push(...multipartTraits(type, body));
  if (request.framing.kind === 'verbatim') traits.push('framing odd');
  return traits;
}

const knownCoding = /^(?:gzip|x-gzip|deflate|br|zstd|identity)(?:, ?\w+)?$/i;

function essenceOf(type: string): string {
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence === '' ? 'none' : /^[\w/.+*-]{1,40}$/.test(essence) ? essence : 'odd';
}

/** What a body looks like, whatever its type says. */
function shapeOf(body: Buffer): string {
  const start = body.toString('latin1', 0, 400).trimStart();
  if (/^[{[]/.test(start)) return isJson(body) ? 'json' : 'like json';
  if (/^\s*-?-\S*\r?\n?content-disposition/i.test(start) || /form-data/i.test(start))
    return 'parts';
  if (/[\x00-\x08\x0e-\x1f]/.test(start)) return 'binary';
  return start.includes('=') ? 'pairs' : 'text';
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function multipartTraits(type: string, body: Buffer): string[] {
  const text = body.toString('latin1');
  const found: readonly (readonly [trait: string, isThere: boolean])[] = [
    ['boundary plain', /;\s*boundary="?[\w-]+"?$/.test(type)],
    ['boundary twice', (type.match(/boundary/gi) ?? []).length > 1],
    ['no boundary', !/boundary/i.test(type)],
    ['filename empty', /filename=(?:""|[\r\n;]|$)/i.test(text)],
    ['filename plain', /filename="[^"]+"|filename=[^\s";]+/i.test(text)],
    ['filename*', /filename\*/i.test(text)],
    ['part type', /^content-type:/im.test(text)],
    ['part coding', /content-transfer-encoding/i.test(text)],
    ['line feeds', /[^\r]\n/.test(text)],
  ];
  return found.filter(([, isThere]) => isThere).map(([trait]) => trait);
}
