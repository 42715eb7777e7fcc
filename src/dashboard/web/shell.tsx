import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Role } from '../../contract/roles.ts';
import type { Overview } from './api/types.ts';
import { useResource } from './hooks/use-resource.ts';
import { Keyboard } from './keyboard.tsx';
import { PasswordDialog } from './pages/password-dialog.tsx';
import { Button, ButtonLink } from './ui/button.tsx';
import { Icon, type IconName, Logo } from './ui/icon.tsx';
import { useHasPassword, useMay } from './ui/role.tsx';
import { ThemeSwitch } from './ui/theme.tsx';

const places: readonly (readonly [href: string, label: string, icon: IconName])[] = [
  ['/dashboard', 'Overview', 'overview'],
  ['/dashboard/events', 'Events', 'events'],
  ['/dashboard/keys', 'Keys', 'keys'],
  ['/dashboard/policies', 'Policies', 'policies'],
  ['/dashboard/addresses', 'Addresses', 'addresses'],
  ['/dashboard/notifications', 'Notifications', 'bell'],
  ['/dashboard/rules', 'Rules', 'rules'],
  ['/dashboard/playground', 'Playground', 'playground'],
  ['/dashboard/audit', 'Audit', 'audit'],
];

const administrators = ['/dashboard/administrators', 'Administrators', 'people'] as const;

/** Navigation beside the page. On a narrow screen a button opens it. */
export function Shell(props: {
  readonly user: string;
  readonly role: Role;
  readonly onSignOut: () => void;
  readonly children: ComponentChildren;
}) {
  const { path } = useLocation();
  const shown = useMay('administrator') ? [...places, administrators] : places;
  const [isOpen, setOpen] = useState(false);
  const [isChanging, setChanging] = useState(false);
  // Entering a page closes the navigation.
  useEffect(() => setOpen(false), [path]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="bar">
        <a class="brand" href="/dashboard">
          <Logo /> Sallyport
        </a>
        <button
          class="button quiet menu"
          type="button"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
          <span class="sr-only">Menu</span>
        </button>
      </header>
      <div class={isOpen ? 'side open' : 'side'} id="navigation">
        <nav aria-label="Main">
          <ul>
            {shown.map(([href, label, icon]) => (
              <li key={href}>
                <a href={href} aria-current={isCurrent(href, path) ? 'page' : undefined}>
                  <Icon name={icon} />
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <SideFoot
          user={props.user}
          role={props.role}
          onChangePassword={() => setChanging(true)}
          onSignOut={props.onSignOut}
        />
      </div>
      <main id="content" tabIndex={-1}>
        {props.children}
      </main>
      <Keyboard />
      {isChanging ? <PasswordDialog user={props.user} onClose={() => setChanging(false)} /> : null}
    </div>
  );
}

/** The user and what concerns the user alone. */
function SideFoot(props: {
  readonly user: string;
  readonly role: Role;
  readonly onChangePassword: () => void;
  readonly onSignOut: () => void;
}) {
  const { user, role, onChangePassword, onSignOut } = props;
  const hasPassword = useHasPassword();
  return (
    <section class="side-foot" aria-label="You and this page">
      <ThemeSwitch />
      <About />
      <p class="user" title={`Signed in as ${user}`}>
        {user} <small class="faint">{role}</small>
      </p>
      <ButtonLink kind="quiet" icon="device" href="/dashboard/sessions">
        Your sessions
      </ButtonLink>
      {hasPassword ? (
        <Button kind="quiet" icon="keys" onClick={onChangePassword}>
          Change password
        </Button>
      ) : null}
      <Button kind="quiet" icon="signOut" onClick={onSignOut}>
        Sign out
      </Button>
    </section>
  );
}

/** Which version runs, whether it is ready, and where its interface is described. */
function About() {
  const { data } = useResource<Overview>('/overview');
  return (
    <p class="about faint">
      {data === undefined ? 'Sallyport' : `Sallyport ${data.version}`}
      {data?.ready === false ? ' · not ready' : ''}
      {' · '}
      <a href="/openapi.json" target="_blank" rel="noreferrer">
        API
      </a>
      <br />
      <kbd>?</kbd> shows the shortcuts
    </p>
  );
}

function isCurrent(href: string, path: string): boolean {
  return href === path || (href !== '/dashboard' && path.startsWith(`${href}/`));
}
