import { useEffect, useState } from 'preact/hooks';
import { joinPath } from '../../../contract/admin.ts';
import { providerCallbackPath } from '../../../contract/public-url.ts';
import { ApiError, api } from '../api/client.ts';
import { useAction, useResource } from '../hooks/use-resource.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { Inert } from '../ui/inert.tsx';
import { ErrorNotice, Loaded, Skeleton } from '../ui/notice.tsx';
import { Card, useSay } from '../ui/page.tsx';
import { useHasPassword } from '../ui/role.tsx';
import { Gate } from './gate.tsx';
import { CodeField, PasswordField } from './second-factor-dialogs.tsx';

const linkPath = '/session/single-sign-on';
/** Where to go on afterwards, for this tab only. */
const placeKey = 'sallyport-sign-on';

/** Leaves for the identity provider; the page comes back with its answer. */
async function leave(path: string, body: object): Promise<void> {
  const { url } = await api<{ readonly url: string }>('POST', path, { body });
  sessionStorage.setItem(placeKey, location.pathname + location.search);
  location.assign(url);
  // The page goes away: the button stays busy until then.
  await new Promise(() => undefined);
}

/**
 * What the identity provider sent the browser back with; undefined on any other page. The address
 * loses it, and leads to where the user was before: always a page of the dashboard.
 */
export function takeProviderAnswer(): string | undefined {
  if (location.pathname !== providerCallbackPath) return undefined;
  const answer = location.search;
  const place = sessionStorage.getItem(placeKey) ?? '';
  sessionStorage.removeItem(placeKey);
  const isOurs = /^\/dashboard(?:[/?]|$)/.test(place) && !place.startsWith(providerCallbackPath);
  history.replaceState(null, '', isOurs ? place : '/dashboard');
  return answer === '' ? undefined : answer;
}

/** Signs in, or accepts an invitation, by the identity provider. `dashboard`: where that works. */
export function SingleSignOn(props: {
  readonly dashboard: string | undefined;
  readonly invitation?: { readonly token: string; readonly name: string };
}) {
  const { dashboard, invitation } = props;
  const begin = useAction(() =>
    leave('/single-sign-on', invitation === undefined ? {} : { invitation: invitation.token }),
  );
  if (dashboard === undefined) return null;
  const words =
    invitation === undefined ? 'Sign in with single sign-on' : 'Join with single sign-on';
  const isHere = new URL(dashboard).origin === location.origin;
  const link = invitation && joinPath({ invitation, token: invitation.token });
  return (
    <div class="single-sign-on">
      <ErrorNotice error={begin.error} />
      {isHere ? (
        <Button busy={begin.busy} onClick={begin.run}>
          {words}
        </Button>
      ) : (
        // Cookies of this address do not reach the one that the provider knows.
        <ButtonLink href={link === undefined ? dashboard : new URL(link, dashboard).href}>
          {words}
        </ButtonLink>
      )}
    </div>
  );
}

/** Hands in the answer of the identity provider. */
export function ProviderAnswerPage(props: {
  readonly answer: string;
  readonly onDone: () => void;
}) {
  const { answer, onDone } = props;
  const say = useSay();
  const finish = useAction(async () => {
    const body = { answer };
    const { isLinked } = await api<{ readonly isLinked: boolean }>(
      'POST',
      '/single-sign-on/finish',
      { body },
    );
    if (isLinked) say('The account is linked.');
    onDone();
  });
  // The answer is good for one use.
  useEffect(() => void finish.run(), []);
  return (
    <Gate title="Single sign-on">
      {finish.error === undefined ? (
        <Skeleton />
      ) : (
        <>
          <ErrorNotice error={finish.error} />
          <Button kind="primary" onClick={onDone}>
            Continue
          </Button>
        </>
      )}
    </Gate>
  );
}

interface State {
  readonly isConfigured: boolean;
  readonly account?: string;
}

/** The account of the identity provider that signs the user in; nothing where none is set up. */
export function SingleSignOnCard() {
  const state = useResource<State>(linkPath);
  const [open, setOpen] = useState<'link' | 'unlink' | undefined>(undefined);
  if (state.data?.isConfigured === false) return null;
  return (
    <Card title="Single sign-on">
      <Loaded resource={state} lines={2}>
        {({ account }) => <SingleSignOnState account={account} onOpen={setOpen} />}
      </Loaded>
      {open === undefined ? null : (
        <LinkDialog
          act={open}
          onClose={() => {
            setOpen(undefined);
            state.reload();
          }}
        />
      )}
    </Card>
  );
}

/** Which account signs the user in; linking and unlinking need the password. */
function SingleSignOnState(props: {
  readonly account: string | undefined;
  readonly onOpen: (act: 'link' | 'unlink') => void;
}) {
  const { account, onOpen } = props;
  if (!useHasPassword()) {
    return (
      <p>
        {account === undefined ? (
          'No account of the identity provider is linked any more'
        ) : (
          <>
            On: only the account <Inert text={account} /> signs you in
          </>
        )}
        . You have no password; an administrator gives you one by the command{' '}
        <code>sallyport admins reset</code>, which also unlinks the account.
      </p>
    );
  }
  if (account === undefined) {
    return (
      <>
        <p>
          Off. Link your account of the identity provider to sign in with it. The password stays for
          when the provider is unavailable.
        </p>
        <Button onClick={() => onOpen('link')}>Link an account</Button>
      </>
    );
  }
  return (
    <>
      <p>
        On: the account <Inert text={account} /> signs you in, without the second factor of this
        page.
      </p>
      <Button kind="danger" onClick={() => onOpen('unlink')}>
        Unlink
      </Button>
    </>
  );
}

/** Asks for the password, and for a code where there is a second factor. */
function LinkDialog(props: { readonly act: 'link' | 'unlink'; readonly onClose: () => void }) {
  const { act, onClose } = props;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const say = useSay();
  const isLink = act === 'link';
  const prove = useAction(async () => {
    const body = { password, ...(asksCode ? { code } : {}) };
    try {
      if (isLink) return await leave(linkPath, body);
      await api('POST', `${linkPath}/unlink`, { body });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'second-factor-needed') throw error;
      setAsksCode(true);
      return;
    }
    say('The account is unlinked.');
    onClose();
  });
  return (
    <Dialog title={isLink ? 'Link an account' : 'Unlink the account'} onClose={onClose}>
      <DialogForm
        action={prove}
        button={isLink ? 'Continue' : 'Unlink'}
        kind={isLink ? 'primary' : 'danger'}
        onClose={onClose}
      >
        {isLink ? (
          <p>You sign in at the identity provider next; the account that you choose is linked.</p>
        ) : (
          <p>From then on only your password signs you in.</p>
        )}
        <PasswordField value={password} onInput={setPassword} />
        {asksCode ? <CodeField value={code} onInput={setCode} takesFocus /> : null}
      </DialogForm>
    </Dialog>
  );
}
