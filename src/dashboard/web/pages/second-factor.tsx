import { useState } from 'preact/hooks';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice, Loaded } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';
import { useHasPassword } from '../ui/role.tsx';
import { Gate } from './gate.tsx';
import { ProveDialog, SetUpDialog } from './second-factor-dialogs.tsx';

interface State {
  readonly isOn: boolean;
  readonly recoveryCodes: number;
}

/** Fewer recovery codes than this are a reason to make new ones. */
const fewCodes = 3;

/** Stands before all other pages until a second factor is set up. */
export function SecondFactorPage(props: {
  readonly onDone: () => void;
  readonly onSignOut: () => Promise<void>;
}) {
  const [open, setOpen] = useState(false);
  const signOut = useAction(props.onSignOut);
  const close = () => {
    setOpen(false);
    props.onDone();
  };
  return (
    <Gate title="Set up a second factor">
      <p>
        This Sallyport requires one: after your password, a code of an authenticator app on your
        phone. Have the app ready.
      </p>
      <ErrorNotice error={signOut.error} />
      <Button kind="primary" onClick={() => setOpen(true)}>
        Set up a second factor
      </Button>
      <Button busy={signOut.busy} onClick={signOut.run}>
        Sign out
      </Button>
      {open ? <SetUpDialog onClose={close} /> : null}
    </Gate>
  );
}

/** The second factor of the user. It stands beside a password. */
export function SecondFactorCard() {
  const hasPassword = useHasPassword();
  const state = useResource<State>('/session/second-factor');
  const [open, setOpen] = useState<'set-up' | 'renew' | 'turn-off' | undefined>(undefined);
  const close = () => {
    setOpen(undefined);
    state.reload();
  };
  return (
    <Card title="Second factor">
      <Loaded resource={state} lines={2}>
        {({ isOn, recoveryCodes }) =>
          isOn ? (
            <>
              <p>
                On: signing in needs a code of your authenticator app as well.{' '}
                {recoveryCodes === 1 ? '1 recovery code is' : `${recoveryCodes} recovery codes are`}{' '}
                left.{recoveryCodes < fewCodes ? ' Make new ones soon.' : ''}
              </p>
              <p>
                <Button onClick={() => setOpen('renew')}>New recovery codes</Button>{' '}
                <Button kind="danger" onClick={() => setOpen('turn-off')}>
                  Turn off
                </Button>
              </p>
            </>
          ) : !hasPassword ? (
            <p>
              You sign in by single sign-on only, without a password: set up a second factor at your
              identity provider.
            </p>
          ) : (
            <>
              <p>
                Off. With a second factor your password alone does not sign in: a code of an
                authenticator app on your phone is needed as well.
              </p>
              <Button kind="primary" onClick={() => setOpen('set-up')}>
                Set up a second factor
              </Button>
            </>
          )
        }
      </Loaded>
      {open === 'set-up' ? <SetUpDialog onClose={close} /> : null}
      {open === 'renew' || open === 'turn-off' ? <ProveDialog act={open} onClose={close} /> : null}
    </Card>
  );
}
