import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Action } from '../hooks/use-resource.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { ErrorNotice } from './notice.tsx';

/**
 * A modal dialog. The browser keeps the focus inside, closes it with Escape and gives the focus
 * back.
 */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
  /** Only its own buttons close it: what it shows is not shown again. */
  readonly insistent?: boolean;
}) {
  const { title, onClose, children, wide = false, insistent = false } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Taken before a field of the dialog can have the focus.
  const [opener] = useState(() => document.activeElement);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const dialog = ref.current;
    // A second Escape closes in any case: browsers let no page keep people in.
    const onClosed = () => {
      if (insistent) dialog?.showModal();
      else close.current();
    };
    dialog?.showModal();
    dialog?.addEventListener('close', onClosed);
    return () => {
      dialog?.removeEventListener('close', onClosed);
      // While it is open nothing outside of it can take the focus.
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [opener, insistent]);
  return (
    <dialog
      ref={ref}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!insistent) onClose();
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        {insistent ? null : (
          <button class="button quiet" type="button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}

export function DialogButtons({ children }: { readonly children: ComponentChildren }) {
  return <footer class="dialog-buttons">{children}</footer>;
}

interface ActionProps {
  readonly action: Action<readonly []>;
  /** The label of the button that acts. */
  readonly button: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The form of a dialog with its error and its buttons. */
export function DialogForm(props: ActionProps & { readonly kind?: 'primary' | 'danger' }) {
  const { action, button, kind = 'primary', onClose, children } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      {children}
      <ErrorNotice error={action.error} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={kind} type="submit" busy={action.busy}>
          {button}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Asks before something is removed for good. */
export function ConfirmDialog(
  props: ActionProps & { readonly title: string; readonly keep?: string },
) {
  const { title, action, button, keep = 'Keep it', onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ErrorNotice error={action.error} />
      <DialogButtons>
        <Button onClick={onClose}>{keep}</Button>
        <Button kind="danger" busy={action.busy} onClick={action.run}>
          {button}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
