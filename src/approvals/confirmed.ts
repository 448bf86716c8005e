/** The only mint of `Confirmed<T>`: a person's yes to exactly these terms, good for one operation. */
import type { Confirmed, consented, Dispatch } from '../domain/airline.ts';

/** Private to this file: any sealed value exposes the constructor, but it needs this key. */
const MINT = Symbol('mint');

class SealedTerms<T> implements Confirmed<T> {
  declare readonly [consented]: true;
  readonly #seal = true;
  readonly send: T;
  readonly operationId: string;
  readonly dispatch: Dispatch;

  constructor(key: symbol, send: T, operationId: string, dispatch: Dispatch) {
    if (key !== MINT) throw new TypeError('only approvals confirm');
    this.send = send;
    this.operationId = operationId;
    this.dispatch = dispatch;
    Object.freeze(this);
  }

  static is(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #seal in value;
  }
}

/**
 * Seals what an act sends. Only recheck-and-send.ts may call it, once the operation is entered and the terms are read
 * again.
 */
export function mintConfirmed<T>(send: T, operationId: string, dispatch: Dispatch): Confirmed<T> {
  return new SealedTerms(MINT, send, operationId, dispatch);
}

/** Whether a value came from the mint. False for a look-alike, a copy or a cast. */
export function isConfirmed(value: unknown): boolean {
  return SealedTerms.is(value);
}
