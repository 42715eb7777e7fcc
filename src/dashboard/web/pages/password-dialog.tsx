import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import { useAction } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useSay } from '../ui/page.tsx';
import { NewPassword } from './new-password.tsx';

export function PasswordDialog(props: { readonly user: string; readonly onClose: () => void }) {
  const { user, onClose } = props;
  const say = useSay();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const change = useAction(async () => {
    await api('PUT', '/session/password', { body: { current, password } });
    say('The password is changed. Your other sessions have ended.');
    onClose();
  });
  return (
    <Dialog title={`Change the password of ${user}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (password === again) void change.run();
        }}
      >
        <TextField
          label="Current password"
          type="password"
          value={current}
          onInput={setCurrent}
          autoComplete="current-password"
          required
          autoFocus
        />
        <NewPassword
          password={password}
          again={again}
          onPassword={setPassword}
          onAgain={setAgain}
        />
        <ErrorNotice error={change.error} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={change.busy}>
            Save the new password
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
