/**
 * Curves: what the same call costs with ever more work. The exponent between two sizes is that of the power of the size
 * that the cost grows with: 0, it does not grow; 1, ten times the work costs ten times as much; 2, a hundred times.
 */
import type { Row } from '../measure.ts';

export interface Point {
  readonly size: number;
  /** Milliseconds a call. */
  readonly ms: number;
  /** Of a pass-through client, milliseconds a call. */
  readonly peerMs?: number;
}

export interface Curve {
  /** `a search: itineraries` */
  readonly what: string;
  /** What the milliseconds are. */
  readonly of: 'CPU' | 'p50';
  readonly points: readonly Point[];
  /** Whether the size is the work: then the cost may grow with it, and no faster. Else it must not grow. */
  readonly isWork: boolean;
}

/** In proportion, and a tenth for the noise. */
const PROPORTIONAL = 1.1;
/** Not at all; a tenth for the noise, and for trees that get deeper. */
const FLAT = 0.1;

/** The first size has its cost, every further one the exponent from the one before it. */
export function rowsOf({ what, of, points, isWork }: Curve): Row[] {
  return points.map((point, n): Row => {
    const { size, ms, peerMs } = point;
    const name = n === 0 ? `${what}: ${count(size)}` : `… ${count(size)}`;
    const before = points[n - 1];
    if (before === undefined) {
      const peer = peerMs === undefined ? {} : { peer: `pass-through ${ms_(peerMs)}` };
      return { what: name, value: ms, unit: 'ms', from: of, ...peer };
    }
    const grown = size - before.size;
    const told = isWork ? `, ${each(ms - before.ms, grown)} for each more` : '';
    const peer =
      peerMs === undefined || before.peerMs === undefined
        ? {}
        : {
            peer: `pass-through ${ms_(peerMs)}, n^${exponent(before.size, before.peerMs, size, peerMs).toFixed(2)}${
              isWork ? `, ${each(peerMs - before.peerMs, grown)}` : ''
            }`,
          };
    const value = exponent(before.size, before.ms, size, ms);
    const target = { atMost: isWork ? PROPORTIONAL : FLAT };
    return { what: name, value, unit: 'n^', target, from: `${ms_(ms)}${told}`, ...peer };
  });
}

function exponent(size: number, ms: number, nextSize: number, nextMs: number): number {
  return Math.log(nextMs / ms) / Math.log(nextSize / size);
}

const count = (size: number) => size.toLocaleString('en');
const ms_ = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
const each = (ms: number, more: number) => `${((1_000 * ms) / more).toFixed(1)} µs`;
