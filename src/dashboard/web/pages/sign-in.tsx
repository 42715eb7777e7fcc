import { useState } from 'preact/hooks';
import { ApiError, api } from '../api/client.ts';
import type { SessionState } from '../api/types.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Gate } from './gate.tsx';
import { CodeField } from './second-factor-dialogs.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

const tooManyAttempts = 429;

export function SignInPage(props: {
  readonly note: string | undefined;
  /** Where single sign-on works. */
  readonly singleSignOn: string | undefined;
  readonly onDone: () => void;
}) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [dropped, setDropped] = useState(false);
  const signIn = useAction(async () => {
    setDropped(false);
    const came = await signInWith({ name, password, ...(asksCode ? { code } : {}) });
    if (came === 'code-needed') setAsksCode(true);
    else if (came === 'cookie-dropped') setDropped(true);
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
          onInput={(text) => {
            setName(text);
            setAsksCode(false);
          }}
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
        {asksCode ? <CodeField value={code} onInput={setCode} takesFocus /> : null}
        <ErrorNotice error={error} />
        {wait === undefined ? null : <p>Try again in {minutes(wait)}.</p>}
        {dropped ? <CookieAdvice /> : null}
        <Button kind="primary" type="submit" busy={signIn.busy}>
          Sign in
        </Button>
        <ForgottenAdvice />
      </form>
      <SingleSignOn dashboard={props.singleSignOn} />
    </Gate>
  );
}

/** Signs in; that a code is needed as well is no error yet. */
async function signInWith(body: object): Promise<'in' | 'code-needed' | 'cookie-dropped'> {
  try {
    await api('POST', '/session', { body });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'second-factor-needed') return 'code-needed';
    throw error;
  }
  const { user } = await api<SessionState>('GET', '/session');
  return user === undefined ? 'cookie-dropped' : 'in';
}

function minutes(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

function ForgottenAdvice() {
  return (
    <p class="faint">
      Forgot your password? <code>sallyport admins --help</code> on the server says what to do.
    </p>
  );
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
