import type { Exclusion } from '../../../contract/policy.ts';
import { TextField } from '../ui/field.tsx';

/** The requests that an exclusion is narrowed to, as a form has them; '' for all of them. */
export interface Place {
  readonly method: string;
  readonly path: string;
  /** Separated by commas or spaces. */
  readonly clients: string;
}

/** The same as the exclusion has it. */
export function narrowedTo({
  method,
  path,
  clients,
}: Place): Pick<Exclusion, 'method' | 'path' | 'clients'> {
  const networks = clients.split(/[\s,]+/).filter((one) => one !== '');
  return {
    ...(method === '' ? {} : { method }),
    ...(path === '' ? {} : { path }),
    ...(networks.length === 0 ? {} : { clients: networks }),
  };
}

/** The method and the path, in a row. */
export function MethodAndPath(props: {
  readonly place: Place;
  readonly set: (name: 'method' | 'path') => (value: string) => void;
  /** Shown where the field is empty. */
  readonly anyMethod?: string | undefined;
  readonly anyPath?: string | undefined;
}) {
  const { place, set, anyMethod = 'all', anyPath = 'all paths' } = props;
  return (
    <div class="filter-row">
      <TextField
        label="Only for the method"
        value={place.method}
        onInput={(method) => set('method')(method.toUpperCase())}
        placeholder={anyMethod}
      />
      <TextField
        label="Only at the path"
        value={place.path}
        onInput={set('path')}
        placeholder={anyPath}
        hint="Such as /articles/*. Requests whose path is unknown stay screened."
      />
    </div>
  );
}
