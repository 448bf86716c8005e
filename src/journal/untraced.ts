/** The tracing of a process that has none. */
import type { Tracing } from './ports.ts';

/** Runs work and records nothing. */
export const untraced: Tracing = {
  current: () => undefined,
  about() {},
  mark() {},
  fail() {},
  span: (_, work) => work(),
};
