/**
 * Schedules that once showed a fault of the product, or of its judge. Every run of their mode plays them first, whatever its seed. A seed that
 * shows a violation is added here before the product is fixed.
 */

export type Mode = 'acts' | 'late' | 'plans';

export interface NamedSchedule {
  readonly seed: number;
  readonly what: string;
  /** How its operations end, or the lines of its plan. If they end otherwise, the seed no longer plays what it is named for. */
  readonly ends: Readonly<Record<string, number>>;
}

export const NAMED: Readonly<Record<Mode, readonly NamedSchedule[]>> = {
  acts: [],
  late: [
    {
      seed: 3550467,
      what: 'the last passenger is cancelled late, and then no reading shows anybody',
      ends: { succeeded: 1, needs_person: 1 },
    },
    {
      seed: 4718745,
      what: 'two cancellations are both carried out late, and then no reading shows anybody',
      ends: { needs_person: 3 },
    },
  ],
  plans: [
    {
      seed: 176388357,
      what: 'a plan leaves out a line, and somebody else does what a later one was to do',
      ends: { skipped: 2, done: 1 },
    },
  ],
};
