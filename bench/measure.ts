/** What a measure is: it gets the program and what it is compared with, and gives the rows of a table. */
import type { Program } from '../test/support/published-program.ts';
import { tokensIn } from '../test/support/tokens.ts';
import type { Floors } from './floors/floors.ts';
import type { Replies } from './support/replies.ts';
import type { Upstream } from './support/upstream.ts';

export interface Bench {
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
  /** `n^`: ten times the work costs ten to this power as much. */
  readonly unit: '×' | 'ms' | 'MB' | '%' | '' | 'n^';
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Fails the run where over its target. */
  readonly mustMeet?: boolean;
  /** What the figure is made of. */
  readonly from?: string;
}

export interface Measure {
  readonly name: string;
  readonly about: string;
  readonly why: string;
  run(bench: Bench): Promise<readonly Row[]>;
}

/** Not timed: the same on every machine. */
export function counted(what: string, value: number, unit: Row['unit'], atMost: number): Row {
  return { what, value, unit, mustMeet: true, atMost, from: '' };
}

/** One of another. */
export function ratio(what: string, [one, other]: readonly [number, number], unit: string, atMost?: number): Row {
  const [left, right] = [one, other].map((value) => value.toFixed(value < 10 ? 2 : 0));
  const from = `${left} of ${right} ${unit}`;
  return { what, value: one / other, unit: '×', from, atMost };
}

/** Tokens as a model is charged for them (o200k). */
export function tokens(value: unknown): number {
  return tokensIn(typeof value === 'string' ? value : JSON.stringify(value));
}

export const hasTarget = ({ atMost, atLeast }: Row): boolean => atMost !== undefined || atLeast !== undefined;
export const isMet = ({ value, atMost = value, atLeast = value }: Row): boolean => value <= atMost && value >= atLeast;

/** What, value, what it is made of, target, and whether it is met. */
export function cellsOf(row: Row): readonly [string, string, string, string, string] {
  const { what, value, unit, atMost, atLeast, from = '' } = row;
  const bound = atMost === undefined ? `≥ ${figure(atLeast ?? 0, unit)}` : `≤ ${figure(atMost, unit)}`;
  const [target, word] = hasTarget(row) ? [bound, isMet(row) ? 'met' : 'MISSED'] : ['', ''];
  return [what, figure(value, unit), from, target, word];
}

export function lineOf(row: Row): string {
  const [what, value, from, target, word] = cellsOf(row);
  const cells = [what.padEnd(53), value.padStart(8), target.padStart(9), word.padEnd(6), from];
  return `  ${cells.join('  ').trimEnd()}`;
}

function figure(value: number, unit: Row['unit']): string {
  const digits = unit === '' ? 0 : Math.abs(value) < 10 ? 2 : 1;
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (unit === 'n^') return `n^${text}`;
  return unit === '×' ? `${text}×` : `${text} ${unit}`.trim();
}
