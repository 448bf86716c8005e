/** Plays trials of the campaign: in this process, or in one of several, each of which takes one order after the other. */
import { type Desk, type Dialect, openDesk } from '../differ/desk.ts';
import { takeOrders } from '../support/child.ts';
import { type Alteration, alterationsOf, isAboutPeople } from './alterations.ts';
import { equalityOf } from './equalities.ts';
import {
  BOUND_ACTS,
  type BookedTrip,
  type BoundActOf,
  type Ground,
  groundOf,
  tripIn,
  type Variant,
} from './grounds.ts';
import { airlineOf, askedAfresh, type Became, otherTrips, play, type Read, type Trial } from './trial.ts';

/** Of which booking one act asks, by itself or as a line of a plan. */
export interface Cell {
  readonly dialect: Dialect;
  readonly act: string;
  readonly variant: Variant;
  readonly isPlanned: boolean;
}

/** Places of the alterations of one cell. */
export interface Order {
  readonly cell: Cell;
  readonly places: readonly number[];
}

/** `same`: sent, and the question from the altered reading reads the same. `equal`: a row of the equalities says why it means the same. */
export interface Outcome {
  readonly became: 'refused' | 'same' | 'equal' | 'finding';
  /** The rows. */
  readonly equality?: readonly string[];
  /** Of a finding: the alteration, and the lines that differ. */
  readonly lines?: readonly string[];
}

export interface Report {
  readonly outcomes: readonly Outcome[];
  /** Mistakes inside the clerk. */
  readonly failures: readonly string[];
}

/** Acts whose question says what comes back by the rules. */
const BY_RULES: readonly string[] = ['pay_booking', 'cancel_booking', 'cancel_passenger', 'cancel_segment'];
/** Acts whose arguments point to flights or people. */
const POINTED: readonly string[] = [
  ...['cancel_passenger', 'change_names', 'cancel_segment', 'split_booking', 'rebook_segment', 'assign_seats'],
  ...['request_service', 'update_passenger'],
];
const IN_PLANS: readonly string[] = ['pay_booking', 'cancel_booking', 'cancel_passenger'];

/** Every act at every airline. */
export function allCells(): readonly Cell[] {
  return BOUND_ACTS.flatMap(({ name: act, dialects }) =>
    dialects.flatMap((dialect): readonly Cell[] => {
      const isRuled = dialect === 'airline' && BY_RULES.includes(act);
      const variants: readonly Variant[] = ['whole', ...(isRuled ? (['ruled'] as const) : []), 'bare'];
      const alone = variants.map((variant): Cell => ({ dialect, act, variant, isPlanned: false }));
      const planned: Cell = { dialect, act, variant: isRuled ? 'ruled' : 'whole', isPlanned: true };
      return IN_PLANS.includes(act) ? [...alone, planned] : alone;
    }),
  );
}

export const nameOf = ({ dialect, act, variant, isPlanned }: Cell): string =>
  `${act}${isPlanned ? ' in a plan' : ''} (${dialect}${variant === 'whole' ? '' : `, ${variant}`})`;

const actOf = (name: string): BoundActOf => BOUND_ACTS.find((one) => one.name === name) as BoundActOf;

/** The same desk for so many trials: its store remembers all of them. */
const TRIALS_AT_ONE_DESK = 15;

interface ReadyCell {
  readonly ground: Ground;
  readonly alterations: readonly Alteration[];
}

/** By booking: several acts ask about the same one. */
const ready = new Map<string, Promise<ReadyCell>>();

function readyCell({ dialect, act, variant }: Cell): Promise<ReadyCell> {
  const { on } = actOf(act);
  const key = `${dialect} ${on} ${variant}`;
  const cell = ready.get(key) ?? readied(dialect, on, variant);
  ready.set(key, cell);
  return cell;
}

async function readied(dialect: Dialect, on: BoundActOf['on'], variant: Variant): Promise<ReadyCell> {
  const ground = await groundOf(dialect, on, variant);
  const all = alterationsOf(ground.reading);
  return { ground, alterations: variant === 'bare' ? all.filter(isAboutPeople) : all };
}

/** The shapes of the places of a cell, in their order: places that differ only in the position in a list have one shape. */
export async function shapesOf(cell: Cell): Promise<readonly string[]> {
  return (await readyCell(cell)).alterations.map(({ place, how }) => `${place.replace(/\.\d+/g, '.N')} ${how}`);
}

export async function obey({ cell, places }: Order): Promise<Report> {
  const { ground, alterations } = await readyCell(cell);
  const act = actOf(cell.act);
  const locator: string = ground.reading.airReservation.bookingReferenceID[0].id;
  const failures: string[] = [];
  const outcomes: Outcome[] = [];
  let desk: Desk | undefined;
  let trip: BookedTrip | undefined;
  const closed = async () => {
    failures.push(
      ...(desk?.failures ?? []).map((error) => (error instanceof Error ? `${error.stack}` : String(error))),
    );
    await desk?.close();
  };

  for (const [i, place] of places.entries()) {
    if (i % TRIALS_AT_ONE_DESK === 0) {
      await closed();
      desk = await openDesk(ground.desk);
    }
    const alteration = alterations[place];
    trip ??= desk && (await tripIn(desk.person(airlineOf(ground).asking), cell.dialect, locator));
    if (desk === undefined || trip === undefined || alteration === undefined)
      throw new Error(`no place ${place} in ${nameOf(cell)}`);
    outcomes.push(await outcomeOf({ desk, ground, act, trip, isPlanned: cell.isPlanned }, alteration));
  }
  await closed();
  return { outcomes, failures };
}

async function outcomeOf(trial: Trial, alteration: Alteration): Promise<Outcome> {
  const { before, sent, said, altered } = await play(trial, alteration);
  if (sent.length === 0) return { became: 'refused' };

  const { read: after } = await askedAfresh(trial, trial.trip, altered);
  if (isSame(before, after)) return { became: 'same' };
  const equality = equalityOf({ before, after, reading: trial.ground.reading, altered });
  if (equality !== undefined) return { became: 'equal', equality };
  if (await isSentByOtherPointers(trial, { before, sent, altered })) return { became: 'equal', equality: [POINTERS] };
  return { became: 'finding', lines: [headOf(alteration), ...differing(before.lines, after), `    said: ${said}`] };
}

/** The act is sent with other pointers than its arguments have, to the same flights and people. */
export const POINTERS = 'other pointers to the same';

const isSame = (before: Read, after: Read): boolean =>
  after.isAsked && before.lines.join('\n') === after.lines.join('\n');

/** Whether a question with other pointers reads the same, and its yes sends what was sent. */
async function isSentByOtherPointers(
  trial: Trial,
  { before, sent, altered }: Pick<Became, 'before' | 'sent' | 'altered'>,
): Promise<boolean> {
  if (!POINTED.includes(trial.act.name)) return false;
  for (const trip of otherTrips(trial.trip, altered)) {
    const { read: after, sends } = await askedAfresh(trial, trip, altered).catch(() => UNASKED);
    const means = isSame(before, after) || equalityOf({ before, after, reading: trial.ground.reading, altered });
    if (means && (await sends()).join('\n') === sent.join('\n')) return true;
  }
  return false;
}

const UNASKED: Awaited<ReturnType<typeof askedAfresh>> = { read: { lines: [], isAsked: false }, sends: async () => [] };

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 160);

function headOf({ sort, place, how, was, now }: Alteration): string {
  const values = sort === 'several at once' ? '' : `: ${short(was)} → ${short(now)}`;
  return `${sort}: ${place}, ${how}${values}`;
}

function differing(before: readonly string[], { lines, isAsked }: { lines: readonly string[]; isAsked: boolean }) {
  if (!isAsked) return [`    from the altered reading nothing is asked: ${lines.slice(0, 2).join(' ')}`];
  return [
    ...before.filter((line) => !lines.includes(line)).map((line) => `    - ${line}`),
    ...lines.filter((line) => !before.includes(line)).map((line) => `    + ${line}`),
  ];
}

if (process.send !== undefined && process.argv[1] === import.meta.filename)
  takeOrders<Order, Report>(obey, async () => undefined);
