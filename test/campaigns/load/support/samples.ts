/**
 * What is seen of a process over time, and whether it grows.
 */

interface Moment {
  readonly minute: number;
}

/** The heap after all that nobody holds was collected. */
export interface Floor extends Moment {
  readonly heapMb: number;
}

export interface Sample extends Moment {
  readonly residentMb: number;
  readonly handles: number;
  readonly lagMs: number;
  readonly worstLagMs: number;
}

/** The second half: caches are full and code is compiled. */
export function steady<T>(moments: readonly T[]): readonly T[] {
  return moments.slice(Math.floor(moments.length / 2));
}

/**
 * Growth a minute by least squares. Of each stretch of so many moments the least is taken: what a call holds for a
 * moment is no growth.
 */
export function slopeOf<T extends Moment>(moments: readonly T[], figureOf: (moment: T) => number, stretch: number) {
  const stretches = Array.from({ length: Math.ceil(moments.length / stretch) }, (_, n) =>
    moments.slice(n * stretch, (n + 1) * stretch),
  );
  const points = stretches.map((few) => ({
    x: mean(few.map(({ minute }) => minute)),
    y: Math.min(...few.map(figureOf)),
  }));
  const [x, y] = [mean(points.map((p) => p.x)), mean(points.map((p) => p.y))];
  const spread = points.reduce((sum, p) => sum + (p.x - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, p) => sum + (p.x - x) * (p.y - y), 0) / spread;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
