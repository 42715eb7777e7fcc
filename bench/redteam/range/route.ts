import type { Context, Oracle, Reply, RunningOracle } from '../contract.ts';

/** Where a request carries the values of a route. */
export type Placement = 'query' | 'form' | 'json' | 'path' | 'cookie' | 'header';

/** The answer of an application, which may send the browser elsewhere. */
export interface RouteReply extends Reply {
  readonly location?: string;
}

/** An interpreter that runs and answers as an application on it would. */
export interface RunningEngine extends Pick<RunningOracle, 'close'> {
  reply(context: Context, values: readonly string[]): Promise<RouteReply>;
}

/** What a route runs: an oracle that can also answer. */
export interface Engine extends Pick<Oracle, 'name' | 'category' | 'tools' | 'contexts'> {
  start(): Promise<Pick<RunningEngine, 'close'> & Partial<RunningEngine>>;
}

/** A route of the range: code of an oracle's context, and where its values come in. */
export interface Route {
  /** Such as `/mariadb/log-in`; unique. */
  readonly path: string;
  readonly at: Placement;
  readonly engine: Engine;
  readonly context: Context;
  /** The names of its fields in the request. */
  readonly fields: readonly string[];
  /** What was sent is shown to clients that ask for the path afterwards. */
  readonly isStored: boolean;
}
