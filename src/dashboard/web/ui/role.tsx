import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { mayAct, type Role } from '../../../contract/roles.ts';

/** What the user may do. The server refuses the rest by itself. */
export const RoleContext = createContext<Role>('viewer');

/** Whether the user may do what needs a role. */
export function useMay(needed: Role): boolean {
  return mayAct({ role: useContext(RoleContext) }, needed);
}
