import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import { useAction } from '../hooks/use-resource.ts';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Gate } from './gate.tsx';
import { NewPasswordForm } from './new-password.tsx';
import { takeLink } from './one-time-link.ts';

/** The first administrator, from the one-time link that the server printed. */
export function SetupPage({ onDone }: { readonly onDone: () => void }) {
  const [token] = useState(() => takeLink('setup')?.token);
  const [name, setName] = useState('');
  const setup = useAction(async (password: string) => {
    await api('POST', '/setup', { body: { token, name, password } });
    onDone();
  });
  if (token === undefined) return <NoToken />;
  return (
    <Gate title="Create the first administrator">
      <p>
        Sallyport is running. Choose a name and a password for yourself; this link works only once.
      </p>
      <NewPasswordForm action={setup} button="Create the administrator">
        <TextField
          label="Name"
          value={name}
          onInput={setName}
          autoComplete="username"
          required
          maxLength={100}
          autoFocus
        />
      </NewPasswordForm>
    </Gate>
  );
}

function NoToken() {
  return (
    <Gate title="Almost there">
      <Notice kind="info">
        <p>
          This Sallyport has no administrator yet. Open the link that it printed when it started:
        </p>
        <p>
          <code>{`${location.origin}/dashboard/#setup=…`}</code>
        </p>
        <p>Every start prints a new link; restart Sallyport if you have lost it.</p>
      </Notice>
    </Gate>
  );
}
