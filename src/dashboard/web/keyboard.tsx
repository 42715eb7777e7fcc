import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Dialog } from './ui/dialog.tsx';

/** The letter after `g` that opens each page. */
export const pageKeys: Readonly<Record<string, readonly [href: string, label: string]>> = {
  o: ['/dashboard', 'Overview'],
  e: ['/dashboard/events', 'Events'],
  k: ['/dashboard/keys', 'Keys'],
  p: ['/dashboard/policies', 'Policies'],
  d: ['/dashboard/addresses', 'Addresses'],
  n: ['/dashboard/notifications', 'Notifications'],
  r: ['/dashboard/rules', 'Rules'],
  t: ['/dashboard/playground', 'Playground'],
  a: ['/dashboard/audit', 'Audit'],
  u: ['/dashboard/administrators', 'Administrators'],
};

const moves: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'Search on this page'],
  ['j', 'Next row, or next event'],
  ['k', 'Previous row, or previous event'],
  ['Enter', 'Open the row'],
  [']', 'Next event'],
  ['[', 'Previous event'],
  ['?', 'This help'],
];

/** How long a `g` waits for its letter. */
const prefixMs = 3_000;
const eventsPath = '/dashboard/events/';
const trailName = 'sallyport.trail';
const typingIn = 'input, textarea, select, [contenteditable]';
const rowLinks = 'main tbody tr a[href], main details.rule > summary';

/** The shortcuts of the dashboard. None works while a field has the focus or a dialog is open. */
export function Keyboard() {
  const { route } = useLocation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const prefixAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isForAnother(event)) return;
      // Not the time of the event: a page that is busy meanwhile would eat up the wait.
      const now = performance.now();
      const isAfterPrefix = now - prefixAt.current < prefixMs;
      prefixAt.current = Number.NEGATIVE_INFINITY;
      const [href] = isAfterPrefix ? (pageKeys[event.key] ?? []) : [];
      if (href !== undefined) route(href);
      else if (event.key === 'g') prefixAt.current = now;
      else if (event.key === '?') setHelpOpen(true);
      else if (event.key === '/') focusSearch();
      else if (!step(event.key, route)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [route]);
  useEffect(() => {
    document.addEventListener('click', keepTrail, true);
    return () => document.removeEventListener('click', keepTrail, true);
  }, []);
  return isHelpOpen ? <Help onClose={() => setHelpOpen(false)} /> : null;
}

function isForAnother(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (event.target instanceof Element && event.target.closest(typingIn) !== null) return true;
  return document.querySelector('dialog[open]') !== null;
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
}

/** Moves one row or one event on; false where the key is no such move. */
function step(key: string, route: (href: string) => void): boolean {
  const by = key === 'j' || key === ']' ? 1 : key === 'k' || key === '[' ? -1 : 0;
  if (by === 0) return false;
  const path = location.pathname;
  if (path.startsWith(eventsPath)) {
    const href = neighbour(path, by);
    if (href !== undefined) route(href);
  } else if (key === 'j' || key === 'k') focusRow(by);
  return true;
}

function focusRow(by: 1 | -1): void {
  const rows: HTMLElement[] = [];
  let before: Element | null = null;
  for (const link of document.querySelectorAll<HTMLElement>(rowLinks)) {
    const row = link.closest('tr') ?? link;
    if (row !== before) rows.push(link);
    before = row;
  }
  const focused = document.activeElement?.closest('tr, details.rule > summary') ?? null;
  const at = rows.findIndex((link) => (link.closest('tr') ?? link) === focused);
  const wanted = at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by;
  rows[wanted]?.focus();
  rows[wanted]?.scrollIntoView({ block: 'nearest' });
}

/** What the page itself offers, else the one beside it in the list that the user came from. */
function neighbour(path: string, by: 1 | -1): string | undefined {
  const rel = by === 1 ? 'next' : 'prev';
  const link = document.querySelector(`main a[rel~="${rel}"]`)?.getAttribute('href');
  if (link !== undefined && link !== null) return link;
  const trail = (sessionStorage.getItem(trailName) ?? '').split('\n');
  const at = trail.indexOf(path);
  return at === -1 ? undefined : trail[at + by];
}

/** Remembers the list out of which an event is opened. */
function keepTrail({ target }: Event): void {
  const table = target instanceof Element ? target.closest('a')?.closest('table') : undefined;
  const links = [...(table?.querySelectorAll(`tbody a[href^="${eventsPath}"]`) ?? [])];
  const hrefs = new Set(links.map((link) => link.getAttribute('href')));
  if (hrefs.size > 0) sessionStorage.setItem(trailName, [...hrefs].join('\n'));
}

function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {moves.map(([keys, what]) => (
          <Shortcut key={keys} keys={[keys]} what={what} />
        ))}
        {Object.entries(pageKeys).map(([key, [, label]]) => (
          <Shortcut key={key} keys={['g', key]} what={label} />
        ))}
      </dl>
    </Dialog>
  );
}

function Shortcut(props: { readonly keys: readonly string[]; readonly what: string }) {
  return (
    <div>
      <dt>
        {props.keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{props.what}</dd>
    </div>
  );
}
