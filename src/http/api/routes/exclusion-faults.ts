import { clientProblems } from '../../../contract/exclusion-clients.ts';
import type { Exclusion } from '../../../contract/policy.ts';
import type { FieldError } from '../../problem.ts';

type Wish = Pick<Exclusion, 'pointer' | 'method' | 'path' | 'clients'>;

const pointerPattern = /^(?:\/(?:[^~/]|~[01])*)+$/;
const methodPattern = /^[A-Z][A-Z-]{0,31}$/;
const pathPattern = /^\/[^?#\\;\s]*$/;

/** What is wrong with the place of an exclusion, and how to write it. */
export function exclusionFaults(wish: Wish, at: string): FieldError[] {
  const { pointer, method, path, clients = [] } = wish;
  const faults: FieldError[] = [];
  if (!pointerPattern.test(pointer)) {
    const message = `must be a JSON pointer, which begins with a slash: write ${corrected(pointer)}`;
    faults.push({ pointer: `${at}/pointer`, message });
  }
  if (method !== undefined && !methodPattern.test(method)) {
    const message = 'must be a method in capitals, such as POST';
    faults.push({ pointer: `${at}/method`, message });
  }
  if (path !== undefined && !pathPattern.test(path)) {
    const message = 'must be a path such as /articles, /articles/* or /admin/**, without a query';
    faults.push({ pointer: `${at}/path`, message });
  }
  for (const { index, problem } of clientProblems(clients)) {
    faults.push({ pointer: `${at}/clients/${index}`, message: problem });
  }
  return faults;
}

/** What a user most likely meant. */
function corrected(pointer: string): string {
  const rooted = `/${pointer.replace(/^[/$.]+/, '')}`;
  return pointerPattern.test(rooted) && rooted !== '/' ? rooted : '/comment or /items/*/text';
}

/** What an exclusion is narrowed to, for a sentence. */
export function scopeText({ method, path, clients }: Wish): string {
  const target = [method, path].filter((one) => one !== undefined).join(' ');
  const from = clients === undefined ? '' : ` from ${clients.join(', ')}`;
  return `${target === '' ? '' : ` for ${target}`}${from}`;
}
