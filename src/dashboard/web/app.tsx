import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { api, whenShutOut } from './api/client.ts';
import type { SessionState } from './api/types.ts';
import { useResource } from './hooks/use-resource.ts';
import { AddressesPage } from './pages/addresses.tsx';
import { AdministratorsPage } from './pages/administrators.tsx';
import { AuditPage } from './pages/audit.tsx';
import { EventPage } from './pages/event.tsx';
import { EventsPage } from './pages/events.tsx';
import { JoinPage, takeInvitation } from './pages/join.tsx';
import { KeyPage } from './pages/key.tsx';
import { KeysPage } from './pages/keys.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { NotificationsPage } from './pages/notifications.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { PlaygroundPage } from './pages/playground.tsx';
import { PoliciesPage } from './pages/policies.tsx';
import { PolicyPage } from './pages/policy.tsx';
import { RulesPage } from './pages/rules.tsx';
import { SecondFactorPage } from './pages/second-factor.tsx';
import { SessionsPage } from './pages/sessions.tsx';
import { SetupPage } from './pages/setup.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { ProviderAnswerPage, takeProviderAnswer } from './pages/single-sign-on.tsx';
import { Shell } from './shell.tsx';
import { ErrorNotice, Notice, Skeleton } from './ui/notice.tsx';
import { Announcer, Page } from './ui/page.tsx';
import { UserContext } from './ui/role.tsx';
import { ThemeProvider } from './ui/theme.tsx';

export function App() {
  // Before the router reads the address.
  const [answer] = useState(takeProviderAnswer);
  return (
    <ThemeProvider>
      <Announcer>
        <LocationProvider scope="/dashboard">
          <SessionGate providerAnswer={answer} />
        </LocationProvider>
      </Announcer>
    </ThemeProvider>
  );
}

/** Shows the pages to signed-in users, and the set-up or sign-in page to all others. */
function SessionGate(props: { readonly providerAnswer: string | undefined }) {
  const session = useResource<SessionState>('/session');
  const [ended, setEnded] = useState(false);
  const [invitation, setInvitation] = useState(takeInvitation);
  const [answer, setAnswer] = useState(props.providerAnswer);
  const { reload } = session;
  useEffect(() => {
    whenShutOut((why) => {
      setEnded(why === 'not-signed-in');
      reload();
    });
  }, [reload]);
  const enter = useCallback(() => {
    setEnded(false);
    setInvitation(undefined);
    setAnswer(undefined);
    reload();
  }, [reload]);
  const signOut = useCallback(async () => {
    await api('DELETE', '/session');
    reload();
  }, [reload]);

  const { data, error } = session;
  if (data === undefined) {
    return (
      <main class="gate">
        {error === undefined ? <Skeleton /> : <ErrorNotice error={error} onRetry={reload} />}
      </main>
    );
  }
  if (data.setupNeeded) return <SetupPage onDone={enter} />;
  if (answer !== undefined) return <ProviderAnswerPage answer={answer} onDone={enter} />;
  const gate = { singleSignOn: data.singleSignOn, onDone: enter };
  if (invitation !== undefined) return <JoinPage invitation={invitation} {...gate} />;
  if (data.user === undefined) return <SignInPage note={noteFor(ended)} {...gate} />;
  if (data.needsSecondFactor === true) {
    return <SecondFactorPage onDone={reload} onSignOut={signOut} />;
  }
  const { name, role } = data.user;
  return (
    <UserContext.Provider value={{ role, hasPassword: data.hasPassword === true }}>
      <Shell user={name} role={role} onSignOut={signOut}>
        <Guarded>
          <Pages />
        </Guarded>
      </Shell>
    </UserContext.Provider>
  );
}

/** Why a user who expected another page is asked to sign in. */
function noteFor(ended: boolean): string | undefined {
  if (ended) return 'Your session has ended. Sign in to carry on.';
  if (!location.hash.startsWith('#setup=')) return undefined;
  return 'This link was used already. Sign in as the administrator created with it.';
}

/** Keeps a defect of one page from taking the others along. */
function Guarded({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const [error, reset] = useErrorBoundary();
  // Another page may well work. The function is a new one each time, so it cannot be waited for.
  useEffect(() => reset(), [path]);
  if (error === undefined) return <>{children}</>;
  return (
    <Page title="This page has a defect">
      <Notice kind="warning">
        <p>
          The error: <code>{String(error)}</code>
        </p>
        <p>Nothing was changed. Reload this page, or open another one.</p>
      </Notice>
    </Page>
  );
}

function Pages() {
  return (
    <Router>
      <Route path="/dashboard" component={OverviewPage} />
      <Route path="/dashboard/events" component={EventsPage} />
      <Route path="/dashboard/events/:id" component={EventPage} />
      <Route path="/dashboard/keys" component={KeysPage} />
      <Route path="/dashboard/keys/:id" component={KeyPage} />
      <Route path="/dashboard/policies" component={PoliciesPage} />
      <Route path="/dashboard/policies/:id" component={PolicyPage} />
      <Route path="/dashboard/addresses" component={AddressesPage} />
      <Route path="/dashboard/notifications" component={NotificationsPage} />
      <Route path="/dashboard/rules" component={RulesPage} />
      <Route path="/dashboard/playground" component={PlaygroundPage} />
      <Route path="/dashboard/audit" component={AuditPage} />
      <Route path="/dashboard/administrators" component={AdministratorsPage} />
      <Route path="/dashboard/sessions" component={SessionsPage} />
      <Route default component={NotFoundPage} />
    </Router>
  );
}
