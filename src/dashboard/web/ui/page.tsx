import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Scrolled } from './scrolled.tsx';

/** After a load the focus stays at the start, so that the first Tab finds the skip link. */
let isFirst = true;

/** The frame of every page: its heading takes the focus when the page is entered from another. */
export function Page(props: {
  readonly title: string;
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly back?: { readonly href: string; readonly label: string };
  readonly children: ComponentChildren;
}) {
  const { title, intro, actions, back, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Sallyport`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
    scrollTo(0, 0);
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          {back === undefined ? null : (
            <a class="back" href={back.href}>
              ← {back.label}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro === undefined ? null : <p class="intro">{intro}</p>}
        </div>
        {actions === undefined ? null : <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export function Card(props: {
  readonly title?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const heading = useId();
  return (
    <section class="card" aria-labelledby={props.title === undefined ? undefined : heading}>
      {props.title === undefined ? null : (
        <header>
          <h2 id={heading}>{props.title}</h2>
          {props.actions}
        </header>
      )}
      {props.children}
    </section>
  );
}

/** A table with a name for screen readers; on a phone each of its rows is a card. */
export function Table(props: {
  readonly caption: string;
  readonly columns: readonly string[];
  /** For tables whose columns have widths of their own. */
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const table = useRef<HTMLTableElement>(null);
  // After each render: rows come and go.
  useLayoutEffect(() => labelCells(table.current, props.columns));
  return (
    <Scrolled kind="table" label={props.caption}>
      <table ref={table} class={props.class}>
        <caption class="sr-only">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column} scope="col" data-label={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </Scrolled>
  );
}

/** Names the column in each cell for the cards, and keeps the roles that `display` would take. */
function labelCells(table: HTMLTableElement | null, columns: readonly string[]): void {
  table?.setAttribute('role', 'table');
  for (const row of table?.tBodies[0]?.rows ?? []) {
    row.setAttribute('role', 'row');
    for (const cell of row.cells) {
      cell.dataset['label'] = columns[cell.cellIndex] ?? '';
      cell.setAttribute('role', cell.tagName === 'TH' ? 'rowheader' : 'cell');
    }
  }
}

const SayContext = createContext<(text: string) => void>(() => undefined);
const shownMs = 6_000;

/** Short messages about what was done, shown for a while and read out. */
export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), shownMs);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <SayContext.Provider value={setSaid}>
      {children}
      <div class="toast" role="status">
        {said === '' ? null : <p>{said}</p>}
      </div>
    </SayContext.Provider>
  );
}

export function useSay(): (text: string) => void {
  return useContext(SayContext);
}
