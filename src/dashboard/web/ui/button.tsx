import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Role } from '../../../contract/roles.ts';
import { Icon, type IconName } from './icon.tsx';
import { useMay } from './role.tsx';
import { Scrolled } from './scrolled.tsx';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly icon?: IconName;
  readonly type?: 'button' | 'submit';
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly label?: string;
  /** The least role that may press it; others see it disabled, with the reason. */
  readonly needs?: Role;
  readonly onClick?: () => void;
}

export function Button(props: ButtonProps) {
  const { children, kind = 'secondary', icon, type = 'button', busy = false } = props;
  const { needs = 'viewer' } = props;
  const may = useMay(needs);
  return (
    <button
      class={`button ${kind}`}
      type={type}
      disabled={props.disabled === true || busy || !may}
      title={may ? undefined : `This needs the role ${needs}.`}
      aria-busy={busy}
      aria-label={props.label}
      aria-pressed={props.pressed}
      onClick={props.onClick}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button: for what leads to another place. */
export function ButtonLink(props: {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  readonly icon?: IconName;
  readonly download?: string;
}) {
  const { href, children, kind = 'secondary', icon, download } = props;
  return (
    <a class={`button ${kind}`} href={href} download={download}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </a>
  );
}

const copiedMs = 2_000;

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      // Without TLS the browser has no clipboard for us.
      setState('failed');
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), copiedMs);
  };
  const words = { idle: 'Copy', copied: 'Copied', failed: 'Select it and press Ctrl+C' }[state];
  return (
    <>
      <Button
        icon={state === 'copied' ? 'check' : 'copy'}
        label={`${words}: ${what}`}
        onClick={copy}
      >
        {words}
      </Button>
      <span class="sr-only" role="status">
        {state === 'idle' ? '' : `${words}: ${what}`}
      </span>
    </>
  );
}

/** Something to paste elsewhere, with the button that copies it. */
export function CopyBlock({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="copy-block">
      <Scrolled kind="text" label={what}>
        <pre>
          <code>{text}</code>
        </pre>
      </Scrolled>
      <CopyButton text={text} what={what} />
    </div>
  );
}
