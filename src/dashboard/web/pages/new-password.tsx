import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Action } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

const passwordChars = { min: 12, max: 256 };

/** A new password, twice. */
export function NewPassword(props: {
  readonly password: string;
  readonly again: string;
  readonly onPassword: (password: string) => void;
  readonly onAgain: (again: string) => void;
}) {
  const { password, again, onPassword, onAgain } = props;
  return (
    <>
      <TextField
        label="New password"
        type="password"
        value={password}
        onInput={onPassword}
        autoComplete="new-password"
        required
        minLength={passwordChars.min}
        maxLength={passwordChars.max}
        hint={`At least ${passwordChars.min} characters. A few random words are good.`}
      />
      <TextField
        label="Confirm new password"
        type="password"
        value={again}
        onInput={onAgain}
        autoComplete="new-password"
        required
        error={again !== '' && again !== password ? 'The passwords do not match.' : undefined}
      />
    </>
  );
}

/** The form of a page on which a user chooses the first password. */
export function NewPasswordForm(props: {
  readonly action: Action<readonly [password: string]>;
  readonly button: string;
  /** Fields before those of the password. */
  readonly children: ComponentChildren;
}) {
  const { action, button, children } = props;
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password === again) void action.run(password);
      }}
    >
      {children}
      <NewPassword password={password} again={again} onPassword={setPassword} onAgain={setAgain} />
      <ErrorNotice error={action.error} />
      <Button kind="primary" type="submit" busy={action.busy}>
        {button}
      </Button>
    </form>
  );
}
