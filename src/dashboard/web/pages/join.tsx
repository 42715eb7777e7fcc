import { api } from '../api/client.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Inert } from '../ui/inert.tsx';
import { Gate } from './gate.tsx';
import { NewPasswordForm } from './new-password.tsx';
import { takeLink } from './one-time-link.ts';
import { SingleSignOn } from './single-sign-on.tsx';

interface Invitation {
  readonly token: string;
  readonly name: string;
}

/** A person who was invited chooses a password, and is in. */
export function JoinPage(props: {
  readonly invitation: Invitation;
  /** Where single sign-on works. */
  readonly singleSignOn: string | undefined;
  readonly onDone: () => void;
}) {
  const { token, name } = props.invitation;
  const join = useAction(async (password: string) => {
    await api('POST', '/join', { body: { token, password } });
    props.onDone();
  });
  return (
    <Gate title="Welcome to Sallyport">
      <p>
        You are invited as <Inert text={name} />. Choose a password; this link works only once.
      </p>
      <NewPasswordForm action={join} button="Choose the password">
        <input type="hidden" autoComplete="username" value={name} />
      </NewPasswordForm>
      <SingleSignOn dashboard={props.singleSignOn} invitation={props.invitation} />
    </Gate>
  );
}

/** The invitation whose link was opened. */
export function takeInvitation(): Invitation | undefined {
  const link = takeLink('join');
  return link && { token: link.token, name: link.given.get('name') ?? '' };
}
