import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventSummary } from '../../../contract/event.ts';
import type { LiveSecond } from '../api/types.ts';

export type LiveState = 'connecting' | 'live' | 'paused' | 'offline';

const retryMs = 3_000;
/** In an attack blocks come by the dozen: those of so long are shown at once. */
const blocksMs = 500;

/** Follows the live feed. Comes back by itself after a break; says where it stands. */
export function useLive(handlers: {
  readonly onStats?: (stats: LiveSecond) => void;
  readonly onBlock?: (event: EventSummary) => void;
}): { readonly state: LiveState; readonly setPaused: (paused: boolean) => void } {
  const [state, setState] = useState<LiveState>('connecting');
  const [paused, setPaused] = useState(false);
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    if (paused) {
      setState('paused');
      return;
    }
    setState('connecting');
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout>;
    let showing: ReturnType<typeof setTimeout> | undefined;
    let blocks: EventSummary[] = [];
    // All in one turn, so that the page is rendered once.
    const showBlocks = () => {
      showing = undefined;
      const shown = blocks;
      blocks = [];
      for (const event of shown) latest.current.onBlock?.(event);
    };
    const connect = () => {
      source = new EventSource('/api/live');
      source.onopen = () => setState('live');
      source.onerror = () => {
        setState('offline');
        // The browser comes back after a break by itself, but gives up on an error status.
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, retryMs);
      };
      source.addEventListener('stats', ({ data }) => latest.current.onStats?.(JSON.parse(data)));
      source.addEventListener('block', ({ data }) => {
        blocks.push(JSON.parse(data));
        showing ??= setTimeout(showBlocks, blocksMs);
      });
    };
    connect();
    return () => {
      clearTimeout(retry);
      source.close();
      clearTimeout(showing);
      // What came before a pause is shown.
      showBlocks();
    };
  }, [paused]);

  return { state, setPaused };
}
