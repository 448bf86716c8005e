/** Plays own operations, then what the airline does a while after them, on one simulated clock. */
import { DAY, EXPECTED, type Finding, fits, HOUR, type Mishap, type MishapKind } from './cases.ts';
import { type Desk, openDesk } from './desk.ts';

type FindingKind = Finding['kind'];
type Disturbable = ReturnType<Desk['disturbable']>[number];
export type Dialect = 'rail' | 'airline';

/** How long after the operation the airline acts, and whether a reading came in between. */
export const WAITS = { seconds: 5_000, hour: HOUR, day: DAY, week: 7 * DAY } as const;
export type Wait = keyof typeof WAITS;

export interface Disturbance {
  readonly name: string;
  readonly mishap: Pick<Mishap, 'kind'> & Partial<Mishap>;
  /** Strikes the whole booking. */
  readonly ofBooking?: true;
  /** Happens first, and is read and told. */
  readonly first?: MishapKind;
}

const RUN: readonly MishapKind[] = ['delay', 'retime', 'renumber', 'cancel', 'equipment'];
const OWN: readonly MishapKind[] = ['seats-moved', 'reissue', 'class-lost', 'no-show'];
const simple = (kind: MishapKind): Disturbance => ({ name: kind, mishap: { kind } });
const ofAll = (kind: MishapKind): Disturbance => ({ ...simple(kind), ofBooking: true });
const coupon = (name: string, status: string): Disturbance => ({ name, mishap: { kind: 'coupon-closed', status } });

/** What an airline does to a paid booking. */
export const ON_PAID: readonly Disturbance[] = [
  ...[...RUN, ...OWN].map(simple),
  { name: 'restore', mishap: { kind: 'restore' }, first: 'cancel' },
  ...[coupon('coupon void', 'V'), coupon('coupon suspended', 'S'), coupon('coupon closed', 'Z')],
  ...(['passenger-gone', 'deadline', 'refund'] as const).map(ofAll),
];
const ON_HOLD: readonly Disturbance[] = [
  ...(['delay', 'cancel'] as const).map(simple),
  ...(['price', 'deadline'] as const).map(ofAll),
];

export interface Operation {
  /** Of the acts of the chaos campaigns. */
  readonly act: string;
  readonly held: boolean;
  readonly dialects?: readonly Dialect[];
  readonly disturbances: readonly Disturbance[];
}

const paid = (act: string, more: Partial<Operation> = {}): Operation => ({
  ...{ act, held: false, disturbances: ON_PAID },
  ...more,
});

export const OPERATIONS: readonly Operation[] = [
  { act: 'pay_booking', held: true, disturbances: ON_PAID },
  ...['cancel_segment', 'cancel_passenger', 'change_names', 'assign_seats'].map((act) => paid(act)),
  paid('update_contact', { dialects: ['rail'] }),
  ...['update_passenger', 'rebook_segment', 'split_booking', 'request_service'].map((act) => paid(act)),
  // Nothing of it is left but its money.
  paid('cancel_booking (paid)', { disturbances: [ofAll('refund')] }),
  ...['update_passenger', 'split_booking'].map((act) => ({
    ...{ act, held: true, disturbances: ON_HOLD },
  })),
];

export interface Cell {
  readonly operation: string;
  readonly disturbance: string;
  readonly wait: Wait;
  readonly dialect: Dialect;
  /** Empty: found and told once, and nothing else. */
  readonly missed: readonly FindingKind[];
  readonly twice: readonly Finding[];
  readonly strays: readonly Finding[];
}

export interface Batch {
  readonly cells: readonly Cell[];
  /** The airline could not let it happen, or a rule forbade our own operation. */
  readonly refused: readonly string[];
  readonly failures: readonly unknown[];
}

const START = Date.parse('2026-12-01T06:00:00Z');
/** Departures are ahead of all waits, so that nothing is read because of them. */
const DAYS = { first: 20, last: 60 };
const MOST_TRIES = 20;
/** Every reading that was due has been made by then. */
const READ_WITHIN = DAY + HOUR;

/** What no reading can show, because nothing else shows how it was before. */
function isUnseen(dialect: Dialect, { act, disturbances }: Operation, wait: Wait, name: string): boolean {
  // An airline shows no time limits of a paid booking.
  if (name === 'deadline' && dialect === 'airline' && disturbances === ON_PAID) return true;
  // A cancelled booking whose refund is paid out is read for three days.
  if (wait === 'week' && act.startsWith('cancel_booking') && dialect === 'rail') return true;
  if (wait !== 'seconds') return false;
  // Seats are given with the tickets, limits with the new train, and a price to those who stay in a hold.
  const given: Readonly<Record<string, readonly string[]>> = {
    pay_booking: ['equipment', 'seats-moved', 'reissue'],
    rebook_segment: ['equipment', 'seats-moved', 'reissue', 'deadline'],
    split_booking: disturbances === ON_HOLD ? ['price'] : [],
  };
  return given[act]?.includes(name) === true;
}

export async function playBatch(
  dialect: Dialect,
  operation: Operation,
  wait: Wait,
  disturbances: readonly Disturbance[] = operation.disturbances,
): Promise<Batch> {
  const desk = await openDesk(dialect, {
    ...{ start: START, readsPerHour: 3600, seed: 1, days: DAYS, people: 3, direct: true, strips: false },
  });
  try {
    const played = new Played(desk, dialect, operation);
    const all = disturbances.filter(({ name }) => !isUnseen(dialect, operation, wait, name));
    for (const one of all) await played.book(one);
    await played.until(desk.now() + HOUR);
    await played.act();
    if (wait !== 'seconds') await played.until(desk.now() + WAITS[wait]);
    else desk.set(desk.now() + WAITS.seconds);
    return await played.disturb(wait);
  } finally {
    await desk.close();
  }
}

class Played {
  readonly #desk: Desk;
  readonly #dialect: Dialect;
  readonly #operation: Operation;
  readonly #booked: { readonly locator: string; readonly disturbance: Disturbance }[] = [];
  readonly #refused: string[] = [];
  readonly #runs = new Set<string>();
  readonly #expected = new Map<string, readonly FindingKind[]>();

  constructor(desk: Desk, dialect: Dialect, operation: Operation) {
    this.#desk = desk;
    this.#dialect = dialect;
    this.#operation = operation;
  }

  /** On trains that carry none of the others: what strikes one booking must not strike another. */
  async book(disturbance: Disturbance): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const locator = await this.#desk.book(this.#operation.held);
      const all = this.#desk.disturbable();
      const runs = all.find((one) => one.locator === locator)?.runs ?? [];
      if (runs.some((run) => this.#runs.has(run))) continue;
      for (const run of runs) this.#runs.add(run);
      this.#booked.push({ locator, disturbance });
      return;
    }
    throw new Error('every train carries others');
  }

  async until(end: number): Promise<void> {
    const desk = this.#desk;
    while (desk.now() < end) desk.set(Math.min(end, await desk.watch()));
  }

  #name(disturbance: Disturbance): string {
    const { act, held } = this.#operation;
    return `${this.#dialect} ${act}${held ? ' (hold)' : ''} × ${disturbance.name}`;
  }

  async act(): Promise<void> {
    for (const { locator, disturbance } of this.#booked) {
      if ((await this.#desk.act(locator, this.#operation.act)) === undefined)
        this.#refused.push(`${this.#name(disturbance)}: the operation`);
    }
  }

  /** Its first segment on a run that none of the others is on: we may have rebooked them onto one train. */
  #segment({ segments, runs }: Disturbable): string | undefined {
    const booked = new Set(this.#booked.map(({ locator }) => locator));
    const all = this.#desk.disturbable().flatMap((one) => (booked.has(one.locator) ? one.runs : []));
    return segments.find((_, i) => all.filter((run) => run === runs[i]).length === 1);
  }

  #happen(locator: string, disturbance: Disturbance, kind: MishapKind): void {
    const booking = this.#desk.disturbable().find((one) => one.locator === locator);
    const segment = disturbance.ofBooking ? undefined : booking && this.#segment(booking);
    try {
      if (segment === undefined && !disturbance.ofBooking) throw new Error('its trains carry others too');
      const where = segment === undefined ? {} : { segment };
      this.#desk.disturb({ ...disturbance.mishap, kind, locator, ...where });
      this.#expected.set(locator, [...(this.#expected.get(locator) ?? []), EXPECTED[kind]]);
    } catch (error) {
      this.#refused.push(`${this.#name(disturbance)}: ${error instanceof Error ? error.message : error}`);
    }
  }

  async disturb(wait: Wait): Promise<Batch> {
    for (const { locator, disturbance } of this.#booked) {
      const { mishap, first } = disturbance;
      const kind = first ?? mishap.kind;
      this.#happen(locator, disturbance, kind);
    }
    await this.until(this.#desk.now() + READ_WITHIN);
    const twice = this.#booked.filter(({ disturbance }) => disturbance.first !== undefined);
    for (const { locator, disturbance } of twice) this.#happen(locator, disturbance, disturbance.mishap.kind);
    if (twice.length > 0) await this.until(this.#desk.now() + READ_WITHIN);
    const findings = await this.#desk.findings();
    const cells = this.#booked.flatMap(({ locator, disturbance }) => this.#judge(locator, disturbance, wait, findings));
    return { cells, refused: this.#refused, failures: this.#desk.failures };
  }

  #judge(locator: string, disturbance: Disturbance, wait: Wait, findings: readonly Finding[]): Cell[] {
    const kinds = this.#expected.get(locator);
    if (kinds === undefined) return [];
    const told = findings.filter((finding) => finding.locator === locator);
    const ofKind = (kind: FindingKind) => told.filter((finding) => finding.kind === kind);
    const { act, held } = this.#operation;
    return [
      {
        ...{ operation: `${act}${held ? ' (hold)' : ''}`, disturbance: disturbance.name, wait, dialect: this.#dialect },
        missed: kinds.filter((kind) => ofKind(kind).length === 0),
        twice: kinds.flatMap((kind) => ofKind(kind).slice(1)),
        strays: told.filter(({ kind }) => !kinds.includes(kind) && !fits(disturbance.mishap.kind, kind)),
      },
    ];
  }
}
