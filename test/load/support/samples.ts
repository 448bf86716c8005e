/**
 * What is seen of a process over time, and whether it grows.
 */

export interface Sample {
  readonly minute: number;
  readonly residentMb: number;
  readonly heapMb: number;
  readonly handles: number;
  readonly lagMs: number;
  readonly worstLagMs: number;
}

/** The second half: caches are full and code is compiled. */
export function steady(samples: readonly Sample[]): readonly Sample[] {
  return samples.slice(Math.floor(samples.length / 2));
}

/** Samples of a stretch of time, of which the least is taken: what a collection leaves, not what it has not done yet. */
const STRETCH = 6;

/** Growth a minute by least squares, of the least of each stretch. */
export function slopeOf(samples: readonly Sample[], field: Exclude<keyof Sample, 'minute'>): number {
  const stretches = Array.from({ length: Math.ceil(samples.length / STRETCH) }, (_, n) =>
    samples.slice(n * STRETCH, (n + 1) * STRETCH),
  );
  const points = stretches.map((few) => ({
    x: mean(few.map(({ minute }) => minute)),
    y: Math.min(...few.map((sample) => sample[field])),
  }));
  const [x, y] = [mean(points.map((p) => p.x)), mean(points.map((p) => p.y))];
  const spread = points.reduce((sum, p) => sum + (p.x - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, p) => sum + (p.x - x) * (p.y - y), 0) / spread;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
