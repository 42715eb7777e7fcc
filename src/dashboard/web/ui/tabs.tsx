import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

/** Tabs after the WAI-ARIA pattern: arrows move between them, Tab goes on to the panel. */
export function Tabs<Name extends string>(props: {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, title: string])[];
  readonly current: Name;
  readonly onChange: (name: Name) => void;
  readonly children: ComponentChildren;
}) {
  const { label, tabs, current, onChange, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (by: number) => {
    const at = tabs.findIndex(([name]) => name === current);
    const [name] = tabs[(at + by + tabs.length) % tabs.length] ?? [];
    if (name === undefined) return;
    onChange(name);
    list.current?.querySelector<HTMLElement>(`[id="${id}-${name}"]`)?.focus();
  };
  return (
    <>
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') move(1);
          if (event.key === 'ArrowLeft') move(-1);
        }}
      >
        {tabs.map(([name, title]) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => onChange(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
