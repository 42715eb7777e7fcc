import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Logo } from '../ui/icon.tsx';
import { ThemeSwitch } from '../ui/theme.tsx';

/** The frame of the two pages that stand before all others. */
export function Gate(props: { readonly title: string; readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${props.title} · Sallyport`;
  }, [props.title]);
  return (
    <main class="gate">
      <div class="gate-card">
        <p class="brand">
          <Logo /> Sallyport
        </p>
        <h1>{props.title}</h1>
        {props.children}
      </div>
      <ThemeSwitch />
    </main>
  );
}
