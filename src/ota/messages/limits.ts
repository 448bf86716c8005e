/**
 * Time limits that are not exact UTC times (docs/wire/notes.md, Times without a zone). A limit without a zone is UTC, unless the
 * station's zone makes it earlier and still later than the booking's creation. A day, and what cannot be read, does
 * not count as a limit: results show both as sent.
 */
import { instantOf, utcText, zonelessTime } from '../../core/times.ts';
import type { Booking, Ticket } from '../../domain/booking/booking.ts';
import type { FareRule, LooseLimit, Pricing } from '../../domain/booking/fare.ts';

/** What has limits: a booking, or an offer, which has no tickets. */
interface Limited<P extends Pricing | undefined> {
  readonly options: Booking['options'];
  readonly pricing: P;
  readonly tickets?: readonly Ticket[];
}

/** The parts with their limits as exact times. */
interface ExactLimits<P extends Pricing | undefined> {
  readonly pricing: P;
  readonly tickets: readonly Ticket[];
  readonly looseLimits: readonly LooseLimit[] | undefined;
}

/** @param createdAt when the airline made the booking, or answered the search; undefined if it does not say so */
export function withExactLimits<P extends Pricing | undefined>(
  { options, pricing, tickets = [] }: Limited<P>,
  createdAt: string | undefined,
): ExactLimits<P> {
  if (allLimits(pricing, tickets).every((limit) => limit === undefined || instantOf(limit) !== undefined)) {
    return { pricing, tickets, looseLimits: undefined };
  }

  const departs = options.flatMap(({ segments }) => segments)[0]?.departs;
  const loose = new Map<string, LooseLimit>();

  const exact = (what: LooseLimit['what'], sent: string | undefined): string | undefined => {
    const { at, isLoose } = readLimit(sent, departs, createdAt);
    if (sent !== undefined && isLoose) loose.set(`${what} ${sent}`, { what, sent });
    return at;
  };

  // A bound that is no exact time stays as sent: such a rule is never in force.
  const exactRule = (rule: FareRule): FareRule => ({
    ...rule,
    from: exact('rule', rule.from) ?? rule.from,
    until: exact('rule', rule.until) ?? rule.until,
  });

  const fares = pricing?.fares.map((fare) => ({
    ...fare,
    payBy: exact('pay_by', fare.payBy),
    namesUntil: exact('names_until', fare.namesUntil),
    cancelUntil: exact('cancel_until', fare.cancelUntil),
    refundRules: fare.refundRules.map(exactRule),
    changeRules: fare.changeRules.map(exactRule),
  }));

  return {
    pricing: pricing && { ...pricing, fares },
    tickets: tickets.map((ticket) => ({ ...ticket, timeLimit: exact('pay_by', ticket.timeLimit) })),
    looseLimits: [...loose.values()],
  };
}

function allLimits(pricing: Pricing | undefined, tickets: readonly Ticket[]): readonly (string | undefined)[] {
  const ofFares = (pricing?.fares ?? []).flatMap(({ payBy, namesUntil, cancelUntil, refundRules, changeRules }) => {
    const rules = [...refundRules, ...changeRules];
    return [payBy, namesUntil, cancelUntil, ...rules.flatMap(({ from, until }) => [from, until])];
  });
  return [...ofFares, ...tickets.map(({ timeLimit }) => timeLimit)];
}

/** Reads one limit. Loose is what is no time, and what counts by the clock of the station. */
function readLimit(
  sent: string | undefined,
  departs: string | undefined,
  createdAt: string | undefined,
): { readonly at?: string | undefined; readonly isLoose?: true } {
  if (sent === undefined || instantOf(sent) !== undefined) return { at: sent };
  const asUtc = zonelessTime(sent, undefined);
  if (asUtc === undefined) return { isLoose: true };
  const atStation = zonelessTime(sent, departs) ?? asUtc;
  const made = instantOf(createdAt);
  const isStations = atStation < asUtc && made !== undefined && atStation > made;
  return isStations ? { at: utcText(atStation), isLoose: true } : { at: utcText(asUtc) };
}
