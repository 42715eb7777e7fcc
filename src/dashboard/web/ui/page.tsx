import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { Scrolled } from './scrolled.tsx';

/** The frame of every page: its heading takes the focus when the page is entered. */
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
    heading.current?.focus({ preventScroll: true });
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

/** A table that scrolls by itself where the screen is narrow, with a name for screen readers. */
export function Table(props: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <Scrolled kind="table" label={props.caption}>
      <table>
        <caption class="sr-only">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column} scope="col">
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
