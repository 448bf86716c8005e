/** Defines a check, and runs checks in order. */
import type { Finding } from './findings.ts';

/** `warn`: it works, or only some tools need it. `fail`: something does not work until a person changes it. */
export type Level = 'ok' | 'warn' | 'fail' | 'skipped';

export interface CheckOutcome {
  readonly level: Level;
  /** The diagnosis in one word, for programs and for support. */
  readonly finding: Finding;
  /** What happened: one or two plain sentences. */
  readonly said: string;
  /** What to change; names the setting if there is one. */
  readonly advice?: string;
}

export interface Result extends CheckOutcome {
  readonly id: string;
  readonly title: string;
}

export interface Check {
  readonly id: string;
  readonly title: string;
  readonly needs?: readonly string[];
  /** Returns undefined if there is nothing to report. */
  readonly run: () => Promise<CheckOutcome | undefined> | CheckOutcome | undefined;
}

/** `1 segment`, `2 segments`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Joins the parts that apply. */
export const listed = (parts: readonly (string | false | undefined)[], separator = '; '): string =>
  parts.filter((part) => part !== false && part !== undefined).join(separator);

export const good = (said: string): CheckOutcome => ({ level: 'ok', finding: 'as_it_should_be', said });
export const skipped = (said: string): CheckOutcome => ({ level: 'skipped', finding: 'not_tried', said });
export const unclear = (said: string): CheckOutcome => ({ level: 'ok', finding: 'not_clear', said });

/** Lowers a failure to a warning, for something that no tool needs. */
export const mild = (verdict: CheckOutcome): CheckOutcome =>
  verdict.level === 'fail' ? { ...verdict, level: 'warn' } : verdict;

/** A throttled reply is only a warning, but further questions would fail too. */
export const passes = ({ level, finding }: CheckOutcome): boolean =>
  level === 'ok' || (level === 'warn' && finding !== 'throttled');

export class CheckList {
  readonly results: Result[] = [];
  readonly #waived = new Set<string>();
  readonly #onStart: (title: string, done: number) => void;

  constructor(onStart: (title: string, done: number) => void) {
    this.#onStart = onStart;
  }

  add(id: string, title: string, verdict: CheckOutcome): void {
    this.results.push({ id, title, ...verdict });
  }

  /** Lets checks that need this one run, whatever its result is. */
  waive(id: string): void {
    this.#waived.add(id);
  }

  async run(checks: readonly Check[]): Promise<void> {
    for (const { id, title, needs = [], run } of checks) {
      this.#onStart(title, this.results.length);
      const results = needs.map((need) => this.results.findLast((one) => one.id === need));
      const cause = results.find((one) => one !== undefined && !passes(one) && !this.#waived.has(one.id));
      const verdict =
        cause === undefined ? await run() : skipped(`Not tried: it needs the check “${cause.title}” to pass.`);
      if (verdict !== undefined) this.add(id, title, verdict);
    }
  }
}
