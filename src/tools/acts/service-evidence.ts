/** Says where an act is expected to add a special service, and judges whether it did (docs/wire/notes.md, Changes). */
import { totalIfAllKnown } from '../../core/money.ts';
import {
  activeSegments,
  type Booking,
  type JudgedDeed,
  type Segment,
  type SpecialService,
} from '../../domain/booking/booking.ts';
import { isIdentifyingService, type RequestedService, serviceStatus } from '../../domain/booking/special-services.ts';
import { addedService, codesAdded } from '../../domain/facts/asked-people.ts';
import type { ExpectedChange, ExpectedTraveler } from '../../domain/facts/expected-change.ts';
import { type FlightKey, flightKey, sameFlight } from '../../domain/facts/pair.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import type { ActPart } from '../../journal/act.ts';
import { expectTraveler, findTraveler, together, type Verdict } from '../../journal/evidence.ts';

/** What the journal keeps of a service that an act adds. It does not tell which service it is. The act adds its own `kind`. */
export type AddedService = ExpectedTraveler & {
  /** Keyed digest of passenger and code: what somebody needs on a trip is about their health. */
  readonly service: string;
  /** How many the passenger had on each segment before, and how many were refused; absent if the reading did not say. */
  readonly on: readonly { readonly flight: FlightKey; readonly was?: number; readonly refused?: number }[];
};

/** How many of a service a reading shows. Undefined if it does not say. */
interface ShownCounts {
  /** How many are requested or confirmed. */
  readonly active?: number | undefined;
  /** How many the airline answered that it does not provide. */
  readonly refused?: number | undefined;
}

/** Says where the act is expected to add one of a service: one more on each segment. */
export function expectAddedService(booking: Booking, request: RequestedService, digest: Digest): AddedService {
  const { travelerRef, segmentRefs, code } = request;
  const traveler = expectTraveler(booking, travelerRef, digest);
  const service = digest(addedService(traveler, code));
  const on = activeSegments(booking)
    .filter(({ ref }) => segmentRefs.includes(ref))
    .map((segment) => {
      const same = booking.services.filter((service) => service.code === code);
      const { active, refused } = servicesOn(same, travelerRef, segment.ref);
      return { flight: flightKey(segment), was: active, refused };
    });
  return { ...traveler, service, on };
}

/**
 * Judges each segment. `void` unless the reading says for every segment how many there are. A refusal counts as done: it is the
 * airline's answer.
 */
export function judgeAddedService(
  expected: AddedService,
  booking: Booking,
  { digest }: { readonly digest: Digest },
): Verdict {
  if (booking.travelers.length === 0) return 'void';

  const traveler = findTraveler(booking, expected, digest);
  if (traveler === undefined) return 'contradicted';

  const verdicts = judgeSegments(expected, booking, { traveler, digest }).map(({ verdict }) => verdict);
  return verdicts.includes('void') ? 'void' : together(verdicts);
}

/** Judges each segment. `hasNone`: the passenger has none there, as before. */
function judgeSegments(
  expected: AddedService,
  booking: Booking,
  { traveler, digest }: { readonly traveler: Traveler; readonly digest: Digest },
): readonly { readonly segment?: Segment; readonly verdict: Verdict; readonly hasNone?: boolean }[] {
  // The journal has only a digest of the code.
  const same = booking.services.filter(
    ({ code }) => code !== undefined && digest(addedService(expected, code)) === expected.service,
  );

  return expected.on.map((before) => {
    const [segment, ...twins] = activeSegments(booking).filter((candidate) =>
      sameFlight(flightKey(candidate), before.flight),
    );
    if (segment === undefined || twins.length > 0) return { verdict: 'void' };

    const now = servicesOn(same, traveler.ref, segment.ref);
    const verdict = judgeCounts(before, now, showsServices(booking));
    const { was, refused = 0 } = before;
    return { segment, verdict, hasNone: [was, now.active, refused, now.refused].every((count) => count === 0) };
  });
}

/**
 * The service that was asked for, and on which segments a reading shows it. Where it does not say how many there are, it says nothing. The
 * airline showed it once, because only that proved the act: where it shows none any more, it does not show this one.
 */
function serviceDeeds(expected: AddedService, booking: Booking, digest: Digest): readonly JudgedDeed[] {
  const traveler = findTraveler(booking, expected, digest);
  if (traveler === undefined) return [];

  const [what] = codesAdded(expected, digest);
  const judged = judgeSegments(expected, booking, { traveler, digest }).map(({ segment, verdict, hasNone }) => ({
    segment,
    verdict: hasNone ? 'not_done' : verdict,
  }));

  return (['done', 'not_done', 'contradicted'] as const).flatMap((verdict) => {
    const segmentRefs = judged.flatMap((one) =>
      one.segment !== undefined && one.verdict === verdict ? [one.segment.ref] : [],
    );
    if (segmentRefs.length === 0) return [];
    const where = { segmentRefs, travelerRefs: [traveler.ref], ...(what !== undefined && { what }) };
    return [{ kind: 'service', ...where, isShown: verdict === 'done', isOther: verdict === 'contradicted' }];
  });
}

/** What an act is that adds a special service. */
export const addsService = {
  reading: judgeAddedService,
  touches: (expected) => [{ adds: expected, deeds: (booking, digest) => serviceDeeds(expected, booking, digest) }],
  countedAs: 'change',
  scope: 'air:book',
  deed: 'service',
} as const satisfies Partial<ActPart<AddedService & ExpectedChange>>;

/**
 * Judges one segment. The first row that holds counts:
 *
 * | a count is not known                                       | void |
 * | one more is active                                         | done |
 * | as many are active as before, and one more is refused      | done: the airline answered |
 * | as many are active as before, and some are refused         | void: one refusal may stand in the place of another |
 * | as many are active as before, and the airline shows any    | not_done |
 * | as many are active as before, none is shown of any service | void: this airline may show none |
 * | fewer than before, or too many                             | contradicted |
 */
function judgeCounts(
  { was, refused: refusedBefore = 0 }: AddedService['on'][number],
  { active, refused }: ShownCounts,
  showsServices: boolean,
): Verdict {
  if (was === undefined || active === undefined || refused === undefined) return 'void';
  if (active !== was) return active === was + 1 ? 'done' : 'contradicted';
  if (refused === refusedBefore + 1) return 'done';
  if (refused > 0 || refusedBefore > 0) return 'void';
  return active > 0 || showsServices ? 'not_done' : 'void';
}

/** Whether the airline shows services of this booking other than documents: it may show documents and no other service. */
function showsServices({ services }: Booking): boolean {
  return services.some(({ code }) => !isIdentifyingService(code));
}

/**
 * Counts one service of a passenger on a segment. A line that names no passenger, or no segment, may be about any. Nothing is counted
 * if a line that may be about these does not say how many each has: it names several passengers or none, or no segment, or has no number
 * or an unknown status.
 */
function servicesOn(lines: readonly SpecialService[], travelerRef: string, segmentRef: string): ShownCounts {
  const mayName = (refs: readonly string[], ref: string) => refs.length === 0 || refs.includes(ref);
  const standing = lines
    .filter(({ travelerRefs, segmentRefs }) => mayName(travelerRefs, travelerRef) && mayName(segmentRefs, segmentRef))
    .map((line) => ({ ...line, status: line.status === undefined ? 'confirmed' : serviceStatus(line.status) }))
    .filter(({ status }) => status !== 'cancelled');

  const isClear = standing.every(
    ({ status, quantity, travelerRefs, segmentRefs }) =>
      status !== undefined && quantity !== undefined && travelerRefs.length === 1 && segmentRefs.length > 0,
  );
  if (!isClear) return {};

  const refused = standing.filter(({ status }) => status === 'refused');
  const active = standing.filter(({ status }) => status !== 'refused');
  return { active: totalQuantity(active), refused: totalQuantity(refused) };
}

const totalQuantity = (lines: readonly Pick<SpecialService, 'quantity'>[]): number | undefined =>
  totalIfAllKnown(lines.map(({ quantity }) => quantity));
