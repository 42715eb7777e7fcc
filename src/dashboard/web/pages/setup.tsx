import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Gate } from './gate.tsx';
import { NewPassword } from './new-password.tsx';

/** The first administrator, from the one-time link that the server printed. */
export function SetupPage({ onDone }: { readonly onDone: () => void }) {
  const [token] = useState(takeToken);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const setup = useAction(async () => {
    await api('POST', '/setup', { body: { token, name, password } });
    onDone();
  });
  if (token === '') return <NoToken />;
  return (
    <Gate title="Create the first administrator">
      <p>
        Sallyport is running. Choose a name and a password for yourself; this link works only once.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (password === again) void setup.run();
        }}
      >
        <TextField
          label="Name"
          value={name}
          onInput={setName}
          autoComplete="username"
          required
          maxLength={100}
          autoFocus
        />
        <NewPassword
          password={password}
          again={again}
          onPassword={setPassword}
          onAgain={setAgain}
        />
        <ErrorNotice error={setup.error} />
        <Button kind="primary" type="submit" busy={setup.busy}>
          Create the administrator
        </Button>
      </form>
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

/** Reads the token and takes it out of the address, so that it does not stay in the history. */
function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('setup') ?? '';
  if (token !== '') history.replaceState(null, '', location.pathname + location.search);
  return token;
}
