import { useState } from 'preact/hooks';
import type { StoredEvent } from '../../../contract/event.ts';
import { Button } from '../ui/button.tsx';
import { AddressDialog } from './address-dialog.tsx';

/** Puts the client of an event on the deny list. */
export function BlockClient({ event }: { readonly event: StoredEvent }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { client } = event;
  if (client === undefined) return null;
  return (
    <>
      <Button needs="editor" kind="danger" onClick={() => setOpen(true)}>
        Block this client
      </Button>
      {isOpen ? (
        <AddressDialog client={client} policies={[]} onClose={close} onSaved={close} />
      ) : null}
    </>
  );
}
