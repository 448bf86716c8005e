/** Reads a journal in pages, so that its size takes no memory. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { ChainedEvent } from '../chain.ts';
import type { Row } from '../database.ts';

/** Rows of a page: what is soon forgotten is collected soon, and takes little memory. */
export const PAGE = 200;

/** Where a journal first does not fit. */
export interface Misfit {
  readonly operationId: string;
  readonly seq: number;
}

/** The chain as a whole does not fit. */
export const NOWHERE: Misfit = { operationId: '', seq: 1 };

export const placeOf = ({ operationId, seq }: ChainedEvent): Misfit => ({ operationId, seq });

export type OnProgress = (done: number, total: number, what: string) => void;

export interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Pages until one is not full. Other calls of the process run between two.
 * @throws the signal's reason, if it aborts
 */
export async function* pages(
  next: () => Promise<readonly Row[]> | readonly Row[],
  { signal, onProgress }: Watch,
  progress: () => readonly [done: number, total: number, what: string],
): AsyncGenerator<readonly Row[]> {
  for (;;) {
    signal?.throwIfAborted();
    const rows = await next();
    yield rows;
    onProgress?.(...progress());
    if (rows.length < PAGE) return;
    await letOthersRun();
  }
}
