/** The terms of a rebooking: how its charge is estimated when they are read, and what they say. */

import { OLD, type TermsSection } from '../../approvals/terms.ts';
import { cleanCode, MOST_WORDS, plainText, quotedWords } from '../../core/clean-text.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { withoutTrailing } from '../../core/words.ts';
import type { Booking, Segment, SegmentOption } from '../../domain/booking/booking.ts';
import type { PassengerCounts } from '../../domain/booking/offers.ts';
import { amountPaid } from '../../domain/booking/paid-and-refunded.ts';
import { type SaidLine, saidCondition, saidLoss, saidSum, saidWords } from '../../domain/facts/said.ts';
import { sameCode } from '../../domain/facts/values.ts';
import { comesBackText, givenUpText } from '../../domain/refund/back-words.ts';
import { type ChangeCharge, changeCharge, faresOfClass, paidFor } from '../../domain/refund/estimate-change-charge.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { searchFlight, type Trip } from '../steps/offers.ts';
import { peopleSection, saidLine, section, tripSection } from '../views/terms-text.ts';
import { noteLines } from './booking-change.ts';
import { halfwayNote, type PartNow } from './rebook-connection.ts';
import type { replacedSegment } from './replacement-flight.ts';

const CLASS_TERM = 'The airline may book another class than asked, at another price; the result says so.';

/** How many characters of a fare basis the terms show. */
const FARE_CHARS = 30;

/** How many texts of the airline's rules the terms quote. */
const MOST_QUOTES = 3;

/** What the terms of a rebooking are written from. */
export interface Rebooking {
  readonly booking: Booking;
  readonly replaced: ReturnType<typeof replacedSegment>;
  readonly fresh: Segment;
  readonly trip: Trip;
  readonly charge: ChangeCharge;
  readonly warnings: readonly string[];
  /** Of a connection. */
  readonly part: PartNow | undefined;
}

/** What was approved for a flight still counts if less is charged now: an earlier flight is changed already. */
export function withinApproved(charge: ChangeCharge, part: PartNow | undefined): ChangeCharge {
  const { atMost } = charge;
  const approved = part?.approved;
  const isLess = atMost !== undefined && atMost.currency === approved?.currency && atMost.minor <= approved.minor;
  return isLess ? { ...charge, atMost: approved } : charge;
}

export function rebookSections(rebooking: Rebooking, ctx: ToolContext): readonly TermsSection[] {
  const { booking, replaced, fresh, trip, charge, warnings, part } = rebooking;
  const vehicle = vehicleOf(ctx.settings);
  const refundRules = trip.refundNote === undefined ? 'refund rules not known' : plainText(trip.refundNote, MOST_WORDS);

  return [
    section(
      'act',
      `Change a ${vehicle} of booking ${booking.locator} for all its passengers. This may cost money and cannot be undone.`,
    ),
    tripSection([replaced.segment], ctx, { before: OLD }),
    tripSection([fresh], ctx, { before: 'New: ' }),
    section('refund', givenUpLine(charge)),
    section(
      'note',
      // Approvers must see a rule that is only text: it stands here, as the computed sums can be folded away.
      ...(charge.airlineWords ?? []).slice(0, MOST_QUOTES).map(airlineLine),
      // The fares are said with their flights.
      saidLine(fareLine(replaced.segment, fresh)),
      `New fare: ${refundRules}.`,
      `The airline gives the seats on the new ${vehicle}; seats chosen before are given up.`,
      ctx.settings.dialect === 'airline' ? CLASS_TERM : undefined,
      part && halfwayNote(part, trip, ctx),
      ...noteLines(warnings),
    ),
    section('computed', ...moneyLines(trip.total, charge, fresh, { vehicle, part }), paidLine(booking, replaced)),
    peopleSection(booking),
  ];
}

function airlineLine(words: string): SaidLine {
  return { line: `The airline says ${quotedWords(words)}`, said: [saidCondition('the condition', { says: words })] };
}

/** Names the old and the new fare basis if they differ: the new fare may not be refundable. */
function fareLine(old: Segment, fresh: Segment): string | undefined {
  const oldFare = fareName(old);
  const newFare = fareName(fresh);
  return sameCode(oldFare, newFare)
    ? undefined
    : `Fare: was ${oldFare}, now ${newFare}; the rules of the new fare hold for it.`;
}

function fareName({ fareBasis = 'not named' }: Segment): string {
  return cleanCode(fareBasis, FARE_CHARS);
}

/** Estimates the charge by the fares at which the airline sells the new flight now: the offer's price may be an hour old. */
export async function chargeNow(
  booking: Booking,
  replaced: SegmentOption,
  { segment, passengers }: { readonly segment: Segment; readonly passengers: PassengerCounts },
  ctx: ToolContext,
): Promise<ChangeCharge> {
  const byRule = changeCharge(booking, replaced, [], ctx.now());
  if (byRule.fees === undefined || segment.bookingClass === undefined) return byRule;
  const found = await searchFlight(segment, { passengers, bookingClasses: [segment.bookingClass] }, ctx);
  const fares = found === undefined ? [] : faresOfClass(found, segment);
  return changeCharge(booking, replaced, fares, ctx.now());
}

function moneyLines(
  offered: Money | undefined,
  { rule, atMost, backAtMost }: ChangeCharge,
  { bookingClass = '' }: Segment,
  { vehicle, part }: Pick<Rebooking, 'part'> & { readonly vehicle: string },
): readonly (string | SaidLine | undefined)[] {
  const mayComeBack = backAtMost !== undefined && backAtMost.minor !== 0;
  const price = offered === undefined ? 'an unknown price' : showMoney(offered);
  const atClass = `class ${cleanCode(bookingClass)} on the new ${vehicle}`;

  return [
    saidLine(
      `The new ${part === undefined ? 'fare' : 'connection'} was offered at ${price} for the party.`,
      saidSum('the price of the new one', { amount: offered }),
    ),
    // Passengers are in another order each time.
    saidLine(
      `Change rule: ${rule}`,
      saidWords('change rule', withoutTrailing(rule, '.').split('; ').toSorted().join('; ')),
    ),
    // The most that is approved is bound as the sum of the act: less needs no new yes.
    atMost === undefined
      ? 'What the airline charges or refunds is not known before it answers, and nothing limits it.'
      : saidLine(
          `By the rule and the dearest fare of ${atClass} it comes to ${showMoney(atMost)} at most; the airline decides, and says it only when it is done.`,
        ),
    mayComeBack
      ? saidLine(
          `The new fare can be cheaper: ${comesBackText({ amount: backAtMost }, 'at most ')}, if the airline does not keep it.`,
          saidSum('what may come back', { atMost: backAtMost }),
        )
      : undefined,
  ];
}

function givenUpLine({ givenUp, backAtMost }: ChangeCharge): SaidLine | undefined {
  if (givenUp === undefined) return undefined;
  const why =
    backAtMost === undefined
      ? 'the airline does not say what was paid for the old one, and may keep a difference.'
      : 'the new fare can be cheaper, and the airline may keep the difference.';
  return saidLine(`At most ${givenUpText(givenUp)}: ${why}`, saidLoss('what is given up', givenUp));
}

function paidLine(booking: Booking, replaced: SegmentOption): SaidLine | undefined {
  const paidForOld = paidFor(booking, replaced);
  const paidForAll = amountPaid(booking);
  const caveat = 'The airline may keep a difference.';

  if (paidForOld) {
    const line = `Paid for the old one: ${showMoney(paidForOld)}. ${caveat}`;
    return saidLine(line, saidSum('what was paid for the old one', { amount: paidForOld }));
  }

  const line = paidForAll
    ? `Paid for the whole booking: ${showMoney(paidForAll)}, not split by segment. ${caveat}`
    : `The airline does not say what was paid for the old one. ${caveat}`;
  return saidLine(line, saidSum('what was paid for the whole booking', { amount: paidForAll }));
}
