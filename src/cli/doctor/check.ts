/** What a check is: its name, how it runs, and what it found. */
import type { EnvironmentVariables, Flags } from '../../config/load.ts';
import type { Origin } from '../../config/sources.ts';
import { type CheckOutcome, passes, skipped } from './check-outcomes.ts';

/** Every check, in the order of the results. The id is for programs, the title for people. */
const TITLES = {
  settings: 'settings',
  state: 'state store',
  journal: 'journal',
  servers: 'other servers',
  'address.issuer': 'issuer host',
  issuer: 'issuer',
  'address.public': 'public host',
  public_url: 'public address',
  'address.base': 'messages host',
  'address.auth': 'login host',
  'address.gateway': 'schedule host',
  'address.rest': 'downloads host',
  token: 'token',
  reading: 'reading',
  routes: 'routes',
  fare_search: 'fare search',
  approval: 'approvals',
} as const;

export type CheckId = keyof typeof TITLES;

export interface CheckResult extends CheckOutcome {
  readonly id: CheckId;
  readonly title: string;
}

/** What a check found, with what later checks need of it. */
type CheckOutcomeWith<T> = CheckOutcome & { readonly value?: T };

/** Two stations. */
export interface Pair {
  readonly from: string;
  readonly to: string;
}

/** How the doctor examines. Times are milliseconds, `now` since 1970. */
export interface DoctorOptions {
  readonly env: EnvironmentVariables;
  readonly flags: Flags;
  readonly origin: Origin;
  /** Whether a browser can be opened on this machine. */
  readonly browser: boolean;
  /** The stations to search, if the person named them. */
  readonly route?: Pair | undefined;
  readonly now: () => number;
  /** Certificate authorities to trust instead of the platform's, PEM. */
  readonly ca?: string;
  /** Limit for one question to the airline. Default: ten seconds. */
  readonly deadlineMs?: number;
}

/** Runs checks one after the other, and lists what they found. */
export class Checks {
  readonly results: CheckResult[] = [];
  readonly #onStart: (title: string, done: number) => void;

  constructor(onStart: (title: string, done: number) => void) {
    this.#onStart = onStart;
  }

  /**
   * Runs a check if those that it needs passed. Returns what later checks need of it.
   * @param check returns what it found; undefined if there is nothing to report
   */
  async run<T>(
    id: CheckId,
    needs: readonly (CheckId | undefined)[],
    check: () => Promise<CheckOutcomeWith<T> | undefined> | CheckOutcomeWith<T> | readonly CheckOutcome[],
  ): Promise<T | undefined> {
    const title = TITLES[id];
    this.#onStart(title, this.results.length);

    const cause = this.results.find((result) => needs.includes(result.id) && !passes(result));
    const outcome =
      cause === undefined ? await check() : skipped(`Not tried: it needs the check “${cause.title}” to pass.`);
    const found: readonly CheckOutcomeWith<T>[] = [outcome ?? []].flat();
    this.results.push(...found.map(({ value: _, ...one }) => ({ id, title, ...one })));

    return found[0]?.value;
  }
}
