import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button, CopyBlock } from '../ui/button.tsx';
import { Dialog, DialogButtons, DialogForm } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useSay } from '../ui/page.tsx';
import { QrCode } from '../ui/qr-code.tsx';

const path = '/session/second-factor';

interface Begun {
  readonly secret: string;
  readonly uri: string;
}
interface Codes {
  readonly recoveryCodes: readonly string[];
}

/** Password, secret and first code, recovery codes: a second factor is set up. */
export function SetUpDialog({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [begun, setBegun] = useState<Begun | undefined>(undefined);
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  const begin = useAction(async () => {
    setBegun(await api<Begun>('POST', path, { body: { password } }));
  });
  const confirm = useAction(async () => {
    setCodes((await api<Codes>('POST', `${path}/confirm`, { body: { code } })).recoveryCodes);
  });
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (begun === undefined) {
    return (
      <Dialog title="Set up a second factor" onClose={onClose}>
        <DialogForm action={begin} button="Continue" onClose={onClose}>
          <PasswordField value={password} onInput={setPassword} />
        </DialogForm>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add Sallyport to your app" onClose={onClose}>
      <DialogForm action={confirm} button="Turn on" onClose={onClose}>
        <p>Scan this with an authenticator app, or type the secret there.</p>
        <QrCode text={begun.uri} label="QR code of the secret" />
        <CopyBlock text={begun.secret} what="secret" />
        <details>
          <summary>As an address</summary>
          <CopyBlock text={begun.uri} what="address of the secret" />
        </details>
        <CodeField
          value={code}
          onInput={setCode}
          hint="The six digits that the app shows now. Your other sessions will end."
          takesFocus
        />
      </DialogForm>
    </Dialog>
  );
}

/** Turns the second factor off, or makes new recovery codes: both need password and code. */
export function ProveDialog(props: {
  readonly act: 'renew' | 'turn-off';
  readonly onClose: () => void;
}) {
  const { act, onClose } = props;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  const say = useSay();
  const isRenewal = act === 'renew';
  const prove = useAction(async () => {
    const body = { password, code };
    if (isRenewal) {
      setCodes((await api<Codes>('POST', `${path}/recovery-codes`, { body })).recoveryCodes);
      return;
    }
    await api('POST', `${path}/turn-off`, { body });
    say('The second factor is off.');
    onClose();
  });
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog
      title={isRenewal ? 'New recovery codes' : 'Turn off the second factor'}
      onClose={onClose}
    >
      <DialogForm
        action={prove}
        button={isRenewal ? 'Make new codes' : 'Turn off'}
        kind={isRenewal ? 'primary' : 'danger'}
        onClose={onClose}
      >
        {isRenewal ? <p>The former ones stop working.</p> : null}
        <PasswordField value={password} onInput={setPassword} />
        <CodeField value={code} onInput={setCode} />
      </DialogForm>
    </Dialog>
  );
}

function RecoveryCodes(props: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    <Dialog title="Your recovery codes" onClose={props.onClose} insistent>
      <p>
        Each of them signs you in once, without the app. Keep them where your password is not. They
        are not shown again.
      </p>
      <CopyBlock text={props.codes.join('\n')} what="recovery codes" />
      <DialogButtons>
        <Button kind="primary" onClick={props.onClose}>
          I have kept them
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

const anyCode = 'Of your authenticator app, or a recovery code.';

interface InputProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

export function PasswordField({ value, onInput }: InputProps) {
  return (
    <TextField
      label="Current password"
      type="password"
      value={value}
      onInput={onInput}
      autoComplete="current-password"
      required
      autoFocus
    />
  );
}

/** Where a code is typed; apps and browsers fill it in. `takesFocus`: as soon as it appears. */
export function CodeField(
  props: InputProps & { readonly hint?: string; readonly takesFocus?: boolean },
) {
  const { hint = anyCode, takesFocus = false, ...field } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  return (
    <div ref={box}>
      <TextField
        label="Code"
        hint={hint}
        {...field}
        autoComplete="one-time-code"
        required
        maxLength={64}
      />
    </div>
  );
}
