import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import type { SessionState } from '../api/types.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Gate } from './gate.tsx';

const tooManyAttempts = 429;

export function SignInPage(props: {
  readonly note: string | undefined;
  readonly onDone: () => void;
}) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [dropped, setDropped] = useState(false);
  const signIn = useAction(async () => {
    setDropped(false);
    await api('POST', '/session', { body: { name, password } });
    const { user } = await api<SessionState>('GET', '/session');
    if (user === undefined) setDropped(true);
    else props.onDone();
  });
  const { error } = signIn;
  // The text of a refused attempt has the time in it.
  const wait = error?.status === tooManyAttempts ? undefined : error?.retryAfter;
  return (
    <Gate title="Sign in">
      {props.note === undefined ? null : <Notice kind="info">{props.note}</Notice>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void signIn.run();
        }}
      >
        <TextField
          label="Name"
          value={name}
          onInput={setName}
          autoComplete="username"
          required
          autoFocus
        />
        <TextField
          label="Password"
          type="password"
          value={password}
          onInput={setPassword}
          autoComplete="current-password"
          required
        />
        <ErrorNotice error={error} />
        {wait === undefined ? null : <p>Try again in {minutes(wait)}.</p>}
        {dropped ? <CookieAdvice /> : null}
        <Button kind="primary" type="submit" busy={signIn.busy}>
          Sign in
        </Button>
        <p class="faint">
          Forgot your password? <code>sallyport admins --help</code> on the server says what to do.
        </p>
      </form>
    </Gate>
  );
}

function minutes(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** The cookie is for secure places only; over plain HTTP from afar browsers drop it. */
function CookieAdvice() {
  return (
    <Notice kind="warning">
      <strong>Your browser did not keep the session cookie.</strong>
      <p>
        Over plain HTTP this works on <code>localhost</code> and <code>127.0.0.1</code> only. From
        another machine open Sallyport over HTTPS (settings <code>tls-cert</code> and{' '}
        <code>tls-key</code>, or a proxy), or through a tunnel such as{' '}
        <code>ssh -L 8080:127.0.0.1:8080 host</code>.
      </p>
    </Notice>
  );
}
