import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/client.ts';
import type { Resource } from '../hooks/use-resource.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** From this status on the log says more. */
const defect = 500;

/** An error as the server explained it, with what to do next. */
export function ErrorNotice(props: {
  readonly error: ApiError | undefined;
  readonly onRetry?: () => void;
}) {
  const { error, onRetry } = props;
  if (error === undefined) return null;
  return (
    <div class="notice error" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{error.title}</strong>
        <p>{error.faults.length === 0 ? error.message : 'Fix these fields:'}</p>
        {error.faults.length === 0 ? null : (
          <ul>
            {error.faults.map(({ pointer, given, message }) => (
              <li key={`${pointer} ${message}`}>
                <code>{given ?? (pointer === '' ? 'the document' : pointer)}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {error.id === undefined || error.status < defect ? null : (
          <p class="faint">
            Id in the log: <code>{error.id}</code>
          </p>
        )}
      </div>
      {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

export function Notice(props: {
  readonly kind: 'info' | 'warning' | 'success';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${props.kind}`}>
      <Icon name={props.kind === 'success' ? 'check' : 'warning'} />
      <div>{props.children}</div>
    </div>
  );
}

/** What a list says when it has nothing to show. */
export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{props.title}</strong>
      {props.children === undefined ? null : <div>{props.children}</div>}
    </div>
  );
}

/** A placeholder in the shape of the content, so that nothing jumps when it arrives. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** Loading, failed or there: one of the three is always on the screen. */
export function Loaded<Data>(props: {
  readonly resource: Resource<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ComponentChildren;
}) {
  const { data, error, reload } = props.resource;
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      {data !== undefined ? props.children(data) : null}
      {data === undefined && error === undefined ? <Skeleton lines={props.lines ?? 6} /> : null}
    </>
  );
}
