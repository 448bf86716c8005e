/**
 * What a measure is: it is given the program and its contenders, and gives rows of a table.
 */
import type { Floors } from './floors/build.ts';
import type { Program } from './support/program.ts';
import type { Replies } from './support/replies.ts';
import type { Upstream } from './support/upstream.ts';

export interface Bench {
  /** Fewer rounds. */
  readonly short: boolean;
  readonly program: Program;
  readonly floors: Floors;
  readonly replies: Replies;
  readonly upstream: Upstream;
  /** A new empty folder, removed at the end. */
  folder(purpose: string): string;
}

export interface Row {
  readonly what: string;
  readonly value: number;
  /** `n^`: the exponent of a curve (support/curve.ts). */
  readonly unit: '×' | 'ms' | 'MB' | '%' | '' | 's' | 'n^';
  /** Absent: told for information. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
  /** Not timed: the same on every machine, and a failure of the run where over its target. */
  readonly counted?: boolean;
  /** What the figure is made of. */
  readonly from?: string;
  /** The same of a client that passes everything through: `pass-through 0.92 ms`. */
  readonly peer?: string;
  /** The least that it can be: `bare Node 38 ms`. */
  readonly floor?: string;
}

export interface Measure {
  readonly name: string;
  readonly about: string;
  run(bench: Bench): Promise<readonly Row[]>;
}

export function isMet({ value, target }: Row): boolean {
  if (target === undefined) return true;
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
}
