import { TextField } from '../ui/field.tsx';

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
