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
  late: [],
  plans: [],
};
