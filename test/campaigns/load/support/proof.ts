/**
 * What a proof says: figures with their bounds, one line each, and an exit code. What is counted must hold everywhere;
 * timed figures are reported and marked, and fail only with `--strict`: a busy machine is not a defect.
 */

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Depends on how busy the machine is. */
  readonly timed?: true;
  /** Likewise, but beyond this it is a defect on any machine. */
  readonly evenBusy?: { readonly atMost?: number; readonly atLeast?: number };
}

type Bounds = Pick<Figure, 'value' | 'atMost' | 'atLeast'>;

const isWithin = ({ value, atMost, atLeast }: Bounds): boolean =>
  (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);

/** Whether it ends the proof. */
function isMissed(figure: Figure, strict: boolean): boolean {
  if (strict) return !isWithin(figure);
  if (figure.timed) return false;
  return !isWithin({ ...figure, ...figure.evenBusy });
}

/** Prints the figures and sets the exit code. */
export function conclude(name: string, figures: readonly Figure[], strict: boolean): void {
  process.stdout.write(`${name}\n`);
  for (const figure of figures) {
    const { what, value, unit = '', atMost, atLeast } = figure;
    const bounds = [
      ...(atMost === undefined ? [] : [`≤ ${shown(atMost)}`]),
      ...(atLeast === undefined ? [] : [`≥ ${shown(atLeast)}`]),
    ].join(', ');
    const missed = isMissed(figure, strict) ? 'MISSED' : 'missed (timed)';
    const word = bounds === '' ? '' : isWithin(figure) ? 'ok' : missed;
    process.stdout.write(
      `  ${what.padEnd(62)} ${shown(value).padStart(9)} ${unit.padEnd(7)} ${bounds.padEnd(12)} ${word}\n`,
    );
  }
  const missed = figures.filter((figure) => isMissed(figure, strict)).length;
  process.stdout.write(`${missed === 0 ? 'proved' : `${missed} MISSED`}\n`);
  if (missed > 0) process.exitCode = 1;
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
}

/** `part` in [0, 1] of the sorted values; 0 of none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
