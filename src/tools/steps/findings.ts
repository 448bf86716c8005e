/**
 * Lists what the airline changed, and says which bookings need a person: first changes in groups, then those that a question or a result
 * tells, then the reasons to look at a booking, then the findings of a caller. The words of a finding: domain/facts/words.ts.
 */

import * as z from 'zod';
import { type AirlineChange, CHANGED_SINCE, type ChangeLines } from '../../approvals/terms.ts';
import { dateOf, HOUR_MS, instantOf } from '../../core/times.ts';
import { andMore, capitalized, counted, joined, listed } from '../../core/words.ts';
import { type AirlineDeed, holdEnds, type LedgerEntry } from '../../domain/booking/booking-ledger.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import { type Finding, isAbout, isOnlyLater, type Matter } from '../../domain/booking/finding.ts';
import { bindsChange, isTold } from '../../domain/facts/changes-an-act-binds.ts';
import { closesOnceTold } from '../../domain/facts/closed-by.ts';
import {
  effectTexts,
  findingSubject,
  findingText,
  kindText,
  numberText,
  type Readers,
  sinceText,
  trainText,
} from '../../domain/facts/words.ts';
import type { Operation } from '../../journal/operation.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { filled, optionalStrings, optionalTexts, strings } from '../definition/field-notes.ts';

/** What tells who reads the words for a finding. */
interface ReadersContext {
  readonly settings: Pick<ToolContext['settings'], 'dialect'>;
  readonly airline: Pick<ToolContext['airline'], 'placeName'>;
}

/** How many bookings of a group are named: as many as a plan has lines. */
const MOST_BOOKINGS = 50;
/** How many characters of an id are shown: enough to tell findings apart. */
export const SHOWN_ID_LENGTH = 8;
/** How many changes a question tells in full. */
const MOST_IN_FULL = 3;

/** Says what the airline did to flights and nobody has dealt with. */
const DEED_TEXTS: Readonly<Record<AirlineDeed['what'], (flights: string) => string>> = {
  owed: (flights) => `the airline cancelled ${flights} and has not refunded it`,
  unclear: (flights) => `the airline cancelled ${flights}; ask it whether a recorded refund is for it`,
  cancelled: (flights) => `the airline cancelled ${flights}`,
  moved: (flights) => `the airline moved ${flights}: read it for the new times`,
};

export function readersOf({ settings, airline }: ReadersContext): Readers {
  return { vehicle: vehicleOf(settings), placeName: airline.placeName };
}

/** Makes the schema of one change of a train, or of bookings as a whole, with the bookings that it is about. */
export function changeSchema() {
  return z.object({
    ...strings('what', 'kind'),
    ...optionalStrings('train', 'date'),
    bookings: z.int(),
    locators: z.array(z.string()),
    also: optionalTexts(),
    finding_ids: z.array(z.string()),
  });
}

type ChangeGroup = z.output<ReturnType<typeof changeSchema>>;

/**
 * Selects the findings that are named by the beginnings of their ids, and the names that no finding has.
 * @param least characters: a shorter beginning names no finding
 * @param isNamedToo whether it is a finding's name in another way
 */
export function matchFindings(
  findings: readonly Finding[],
  names: readonly string[],
  least: number,
  isNamedToo: (finding: Finding, name: string) => boolean = () => false,
) {
  const isNamed = (finding: Finding, name: string) =>
    (name.length >= least && finding.id.startsWith(name)) || isNamedToo(finding, name);
  return {
    chosen: findings.filter((finding) => names.some((name) => isNamed(finding, name))),
    unknown: names.filter((name) => !findings.some((finding) => isNamed(finding, name))),
  };
}

/** Groups the findings of the same change of the same train. The largest group comes first. */
export function groupChanges(findings: readonly Finding[], ctx: ReadersContext): ChangeGroup[] {
  const readers = readersOf(ctx);
  const describeChange = (finding: Finding) =>
    finding.segment === undefined ? findingText(finding, readers) : trainText(finding.segment, finding, readers);

  const groups = [...Map.groupBy(findings, describeChange)].map(([what, sameChange]): ChangeGroup => {
    const [{ kind, segment } = {} as Finding] = sameChange;
    const locators = [...new Set(sameChange.map(({ locator }) => locator))];
    const shown = sameChange.slice(0, MOST_BOOKINGS);
    // The text of a change without a train has its effects already.
    const also = segment === undefined ? [] : shown.flatMap((finding) => bookingEffects(finding, readers));

    return {
      what,
      kind,
      train: segment && numberText(segment.number),
      date: segment && dateOf(segment.departs),
      bookings: locators.length,
      locators: locators.slice(0, MOST_BOOKINGS),
      also: filled(also),
      finding_ids: shown.map(({ id }) => id.slice(0, SHOWN_ID_LENGTH)),
    };
  });
  return groups.toSorted((a, b) => b.bookings - a.bookings);
}

function bookingEffects(finding: Finding, readers: Readers): string[] {
  const effects = effectTexts(finding, readers);
  return effects.length === 0 ? [] : [`${finding.locator}: ${effects.join('; ')}`];
}

/** `train 101 on Tue 1 Dec was cancelled by the airline: 2 bookings: ABC123, …; finding_ids …` */
export function changeGroupText({ what, bookings, locators, also = [], finding_ids: ids }: ChangeGroup): string {
  const cutNote = bookings > locators.length ? `, first ${locators.length}` : '';
  const texts = [`${counted(bookings, 'booking')}${cutNote}: ${locators.join(', ')}`, ...also];
  return `  ${what}: ${texts.join('; ')}; finding_ids ${ids.join(', ')}`;
}

/** `Changed since Tue 17 Nov: …`, by the local date of the segment. */
export function changedSinceText(finding: Finding, readers: Readers): string {
  return `${CHANGED_SINCE}${sinceText(finding)}: ${findingText(finding, readers)}`;
}

/** `Changed since Tue 17 Nov: flight 1201 JED → RUH on Tue 1 Dec departs 08:45, was 07:10; has class B, was Y`. */
function sameSubjectText(findings: readonly Finding[], readers: Readers): string {
  const [first = {} as Finding, ...more] = findings;
  const parts = [
    changedSinceText(first, readers),
    ...more.flatMap((next) => [kindText(next), ...effectTexts(next, readers)]),
  ];
  return joined(parts, '; ');
}

function viewChange(finding: Finding, readers: Readers): AirlineChange {
  const { locator, kind, id } = finding;
  return { locator, what: findingText(finding, readers), kind, finding_id: id.slice(0, SHOWN_ID_LENGTH) };
}

/** The schema of the changes by the airline that a question or a result tells. */
export function airlineChangesSchema() {
  const change = z.object(strings('locator', 'what', 'kind', 'finding_id'));
  return z.array(change).optional();
}

/**
 * Tells what the airline changed on these bookings and nobody has dealt with: the first three in full, those that bind the act before the
 * others, and the rest by count. Undefined if that is nothing, or nothing that the act tells. Places are codes: the trip beside it has
 * their names.
 * @param matters what a yes depends on; undefined: nobody is asked for one
 * @param isNews whether to tell a finding
 */
export async function openChanges(
  bookings: readonly Pick<LedgerEntry, 'locator' | 'createdAt'>[],
  matters: ReadonlySet<Matter> | undefined,
  ctx: ToolContext,
  isNews: (finding: Finding) => boolean = () => true,
): Promise<ChangeLines | undefined> {
  const readers = { vehicle: vehicleOf(ctx.settings) };
  const open = await openFindings(ctx, bookings);
  const told = open.filter((finding) => isTold(finding.kind) && isNews(finding));
  if (told.length === 0) return undefined;

  const isBinding = (finding: Finding) =>
    matters !== undefined && bindsChange(finding.kind, matters) && !isOnlyLater(finding);
  const bound = told.filter(isBinding);
  const inOrder = [...bound, ...told.filter((finding) => !isBinding(finding))];
  const [inFull, rest] = [inOrder.slice(0, MOST_IN_FULL), inOrder.slice(MOST_IN_FULL)];
  const bySubject = Map.groupBy(inFull, (finding) => `${sinceText(finding)} ${findingSubject(finding, readers)}`);
  const lines = [...bySubject.values()].map((same) => sameSubjectText(same, readers));
  const more = andMore(rest.map((finding) => findingSubject(finding, readers)));

  return {
    lines: [...lines, ...more.map(capitalized)],
    changes: {
      all: inOrder.map((finding) => viewChange(finding, readers)),
      bound: bound.map(({ id }) => id),
      closed: inFull.filter(closesOnceTold).map(({ id }) => id),
    },
  };
}

/** Says why a booking was not read. @param code of the error */
export function unreadText(code: string): string {
  return code === 'E_NOT_FOUND' ? 'the airline found no booking with this locator' : `could not be read now (${code})`;
}

/** A reason why a person should look at a booking. The next step of a list goes by its kind. */
export interface Attention {
  readonly kind: 'person' | 'in_doubt' | 'question' | 'due' | 'other';
  readonly why: string;
}

/** By locator. */
interface KnownReasons {
  /** Why bookings could not be read, in words. */
  readonly failures: ReadonlyMap<string, string>;
  /** What the airline changed and nobody has dealt with. */
  readonly changes: ReadonlyMap<string, readonly Pick<Finding, 'kind'>[]>;
  /** Questions that wait for a person, in words. */
  readonly questions?: ReadonlyMap<string, readonly string[]>;
}

/** Gives the most serious reasons by weight: money in doubt, a question that waits, a time limit, then what the airline changed. */
export function attentionTo(
  entry: LedgerEntry,
  operation: Pick<Operation, 'state' | 'tool'> | undefined,
  { failures, changes, questions }: KnownReasons,
  now: number,
): readonly Attention[] {
  const ofKind = (kind: Attention['kind'], reasons: readonly string[]) => reasons.map((why) => ({ kind, why }));
  if (operation?.state === 'needs_person')
    return ofKind('person', [`${operation.tool} needs checking with the airline`]);
  if (operation !== undefined) return ofKind('in_doubt', [`the outcome of ${operation.tool} is not known yet`]);

  const waiting = ofKind('question', questions?.get(entry.locator) ?? []);
  const failure = failures.get(entry.locator);
  if (failure !== undefined) return [...waiting, ...ofKind('other', [failure])];

  const found = changes.get(entry.locator) ?? [];
  if (found.some(({ kind }) => kind === 'other_booking'))
    return [...waiting, ...ofKind('other', ['the airline shows another booking under this locator'])];

  const deeds = deedTexts(entry, now);
  // The deeds that a reading shows say more than the existence of a finding.
  const changed = deeds.length === 0 && found.length > 0 ? ['the airline changed it'] : deeds;
  return [...waiting, ...dueSoon(entry, now), ...ofKind('other', changed)];
}

/** Writes one text for all flights with the same deed. Once a flight has left, only its refund still matters. */
function deedTexts({ byAirline = [] }: LedgerEntry, now: number): readonly string[] {
  const open = byAirline.filter(
    ({ what, departs }) => what === 'owed' || what === 'unclear' || !hasPassed(departs, now),
  );
  return [...Map.groupBy(open, ({ what }) => what)].map(([what, deeds]) =>
    DEED_TEXTS[what](listed([...new Set(deeds.map(({ flight }) => flight))])),
  );
}

function dueSoon(entry: LedgerEntry, now: number): readonly Attention[] {
  const at = instantOf(holdEnds(entry));
  if (at === undefined || at > now + HOUR_MS) return [];
  if (at > now) return [{ kind: 'due', why: 'unpaid, and due within the hour' }];
  return [{ kind: 'other', why: 'unpaid, and its time limit has passed since it was read' }];
}

/** Reads what the airline changed on these bookings and nobody has dealt with, newest first. */
export async function openFindings(
  { state, caller, now }: ToolContext,
  bookings: readonly Pick<LedgerEntry, 'locator' | 'createdAt'>[],
): Promise<readonly Finding[]> {
  // A reading that has just shown that no finding is open saves the look for one.
  const byLocator = new Map(
    bookings
      .filter((booking) => state.compared.get(booking)?.isQuiet !== true)
      .map((booking) => [booking.locator, booking]),
  );
  if (byLocator.size === 0) return [];

  const open = (await state.findings?.open(caller.tenant, now(), [...byLocator.keys()])) ?? [];
  return open.filter((finding) => isAbout(finding, byLocator.get(finding.locator) ?? {}));
}

/** Reads the open findings about bookings in the caller's ledger: a clerk's own, or all of the desk for a supervisor. */
export async function callerFindings({ state, caller, now }: ToolContext): Promise<readonly Finding[]> {
  const open = (await state.findings?.open(caller.tenant, now())) ?? [];
  const locators = [...new Set(open.map(({ locator }) => locator))];
  const { entries } = await state.ledger.find(caller, { locators, limit: locators.length });
  const ofCaller = new Map(entries.map((entry) => [entry.locator, entry]));

  return open.filter((finding) => {
    const entry = ofCaller.get(finding.locator);
    return entry !== undefined && isAbout(finding, entry);
  });
}

/** Says for each booking its newest change by the airline, and how many more there are. */
export function newestChangeTexts(
  findings: readonly Finding[],
  ctx: Pick<ToolContext, 'settings' | 'airline'>,
): ReadonlyMap<string, string> {
  const changes = [...Map.groupBy(findings, ({ locator }) => locator)].map(([locator, [newest, ...more]]) => {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    return [locator, `the airline changed it: ${findingText(newest as Finding, readersOf(ctx))}${others}`] as const;
  });
  return new Map(changes);
}
