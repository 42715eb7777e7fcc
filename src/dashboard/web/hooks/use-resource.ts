import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, api } from '../api/client.ts';

/** Data of one address. What was there stays on the screen while it is fetched again. */
export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  /** Fetches again; settles when what it fetched is there, or its error. */
  readonly reload: () => Promise<void>;
}

/** Fetches an address of the management API; `undefined` fetches nothing. */
export function useResource<Data>(path: string | undefined): Resource<Data> {
  const [state, setState] = useState<{
    readonly path?: string;
    readonly data?: Data;
    readonly error?: ApiError;
    readonly loading: boolean;
  }>({ loading: path !== undefined });
  const [round, setRound] = useState(0);
  const waiting = useRef<(() => void)[]>([]);

  // A new round fetches again.
  useEffect(() => {
    if (path === undefined) return release(waiting.current);
    const controller = new AbortController();
    setState(({ error: _error, ...before }) => ({ ...before, loading: true }));
    api<Data>('GET', path, { signal: controller.signal }).then(
      (data) => {
        setState({ path, data, loading: false });
        release(waiting.current);
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((before) => ({
          ...before,
          path,
          error: asApiError(error),
          loading: false,
        }));
        release(waiting.current);
      },
    );
    return () => controller.abort();
  }, [path, round]);

  const reload = useCallback(() => {
    setRound((count) => count + 1);
    return new Promise<void>((done) => {
      waiting.current.push(done);
    });
  }, []);
  return { data: state.data, error: state.error, loading: state.loading, reload };
}

function release(waiting: (() => void)[]): undefined {
  for (const done of waiting.splice(0)) done();
}

/**
 * An act that the user asked for: runs once at a time, keeps its error for display. One that
 * waits for what it changed to be shown cannot be asked for again on the state before it.
 */
export interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => Promise<void>;
  readonly busy: boolean;
  readonly error: ApiError | undefined;
  readonly reset: () => void;
}

export function useAction<Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<void>,
): Action<Args> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | undefined>(undefined);
  const isBusy = useRef(false);
  const run = async (...args: Args) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await act(...args);
    } catch (fault) {
      const isGivenUp = fault instanceof DOMException && fault.name === 'AbortError';
      if (!isGivenUp) setError(asApiError(fault));
    } finally {
      isBusy.current = false;
      setBusy(false);
    }
  };
  return { run, busy, error, reset: () => setError(undefined) };
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new ApiError({ status: 0, title: 'This page has a defect', detail });
}
