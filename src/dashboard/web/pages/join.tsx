import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Inert } from '../ui/inert.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Gate } from './gate.tsx';
import { NewPassword } from './new-password.tsx';

interface Invitation {
  readonly token: string;
  readonly name: string;
}

/** A person who was invited chooses a password, and is in. */
export function JoinPage(props: { readonly invitation: Invitation; readonly onDone: () => void }) {
  const { token, name } = props.invitation;
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const join = useAction(async () => {
    await api('POST', '/join', { body: { token, password } });
    props.onDone();
  });
  return (
    <Gate title="Welcome to Sallyport">
      <p>
        You are invited as <Inert text={name} />. Choose a password; this link works only once.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (password === again) void join.run();
        }}
      >
        <input type="hidden" autoComplete="username" value={name} />
        <NewPassword
          password={password}
          again={again}
          onPassword={setPassword}
          onAgain={setAgain}
        />
        <ErrorNotice error={join.error} />
        <Button kind="primary" type="submit" busy={join.busy}>
          Choose the password
        </Button>
      </form>
    </Gate>
  );
}

/** Reads the invitation and takes it out of the address, so that it does not stay in the history. */
export function takeInvitation(): Invitation | undefined {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get('join') ?? '';
  if (token === '') return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return { token, name: given.get('name') ?? '' };
}
