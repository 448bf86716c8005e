/**
 * The port to traces. Work runs as a span of the trace that asked for it, also hours later and in another process: the
 * trace is kept with the question and with the operation. Every method acts on the span that is running.
 */

/** Codes, numbers and ids: never arguments, names, locators or text of the airline. */
export type SpanFields = Readonly<Record<string, string | number | boolean>>;

export interface SpanAbout {
  /** One of few: no id and no locator. */
  readonly name: string;
  readonly kind?: 'server' | 'client';
  /** A kept `traceparent` to continue. If another trace runs here, each of the two gets a link to the other. */
  readonly of?: string | undefined;
  /** Every log line of this work names it. */
  readonly operation?: string;
  /** Milliseconds since 1970, if it began before now. */
  readonly since?: number;
  readonly fields?: SpanFields;
}

export interface Tracing {
  /** The running span as `traceparent` (W3C Trace Context), to keep. Undefined if none is running. */
  current(): string | undefined;
  /** From here on, every log line of the running span names this operation. */
  about(operation: string): void;
  /** @param event also notes that this happened now */
  mark(fields: SpanFields, event?: string): void;
  /** `type`: a closed code. */
  fail(type: string): void;
  /** Runs work as a span of its own. A thrown error marks the span as failed. */
  span<T>(about: SpanAbout, work: () => Promise<T>): Promise<T>;
}

/** Runs work and records nothing. */
export const untraced: Tracing = {
  current: () => undefined,
  about() {},
  mark() {},
  fail() {},
  span: (_, work) => work(),
};
