import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { mayAct, type Role } from '../../../contract/roles.ts';

/** What the user may do, and whether what asks for the password can be done at all. */
export const UserContext = createContext<{ readonly role: Role; readonly hasPassword: boolean }>({
  role: 'viewer',
  hasPassword: false,
});

/** Whether the user may do what needs a role. The server refuses the rest by itself. */
export function useMay(needed: Role): boolean {
  return mayAct(useContext(UserContext), needed);
}

/** Whether the user has a password: those who join by single sign-on have none. */
export function useHasPassword(): boolean {
  return useContext(UserContext).hasPassword;
}
