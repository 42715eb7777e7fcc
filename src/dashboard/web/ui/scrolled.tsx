import type { ComponentChildren } from 'preact';

/** What may be larger than its place: it scrolls, by keyboard too. */
export function Scrolled(props: {
  readonly label: string;
  readonly kind: 'text' | 'table';
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus the keyboard cannot scroll it
    <section class={`scrolled ${props.kind}`} tabIndex={0} aria-label={props.label}>
      {props.children}
    </section>
  );
}
