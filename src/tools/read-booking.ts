/** The tool that reads a booking and compares it with the reading before. */
import * as z from 'zod';
import { quotedWords } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { greatestIfAllKnown, showMoney } from '../core/money.ts';
import { showLocal } from '../core/times.ts';
import { capitalized } from '../core/words.ts';
import { minuteIn } from '../core/zone.ts';
import { activeOptions, type Booking, type Segment } from '../domain/booking/booking.ts';
import { earliestOf } from '../domain/booking/booking-identity.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { isAbout } from '../domain/booking/finding.ts';
import { hasSurname } from '../domain/booking/name-keys.ts';
import { isPaid } from '../domain/booking/paid-and-refunded.ts';
import { findingText } from '../domain/facts/words.ts';
import { changeCharge, flightsToChange, NO_RULE } from '../domain/refund/estimate-change-charge.ts';
import { bookingHistory } from '../ledger/history.ts';
import { whyNotRebookOne } from './acts/replacement-flight.ts';
import { defineTool, type ToolContext, vehicleOf } from './definition/define.ts';
import { filled, listedWithoutShape, noted, optionalStrings, strings, unlisted } from './definition/field-notes.ts';
import { locator, text } from './definition/input-fields.ts';
import { customerText } from './rules/customer-key.ts';
import { whyDone } from './rules/done-here.ts';
import { changedSinceText, openFindings, readersOf } from './steps/findings.ts';
import { answerStep, waitingQuestions } from './steps/open-questions.ts';
import { customerOf, operationsOn, readNow } from './steps/record-booking.ts';
import { loadPlaceNames } from './steps/resolve-stations.ts';
import { fullBooking } from './views/booking-data.ts';
import { type BookingView, type BookingViewOptions, bookingSchema } from './views/booking-schema.ts';
import { bookingText } from './views/booking-text.ts';
import { bookingRefund, firstDeparture } from './views/refund-data.ts';
import { refundSchema } from './views/refund-schema.ts';
import { refundText } from './views/refund-text.ts';

/** Operations, and findings, of a history. */
const MOST_EVENTS = 200;
/** Changes that the warnings name. */
const MOST_CHANGES = 5;

interface RevealArgs {
  readonly reveal_personal?: boolean | undefined;
  readonly reveal_contact?: boolean | undefined;
}

export const readBooking = defineTool({
  name: 'read_booking',
  title: 'Read booking',
  description:
    'A booking as the airline has it: state, deadlines, refs, tickets, refund; detail full: what is not allowed, rules, references, prices; history: who asked, approved and sent what.',
  toolset: 'core',
  effect: 'read',

  input: () => ({
    locator: locator(),
    surname: noted('Family name {}.', text().optional().describe('of a traveller, if the booking was made elsewhere')),
    detail: noted(
      '`full` adds what a person rarely needs: what is not allowed now and why, price lines, every rule, every seat; `history` shows what happened to it here, and what the airline changed, in place of the booking.',
      z.enum(['concise', 'full', 'history']).optional(),
      '`concise`',
    ),
    reveal_contact: noted(
      'Shows e-mail and telephone of the contact whole, and masks documents. Use it only if the person needs them.',
      z.boolean().optional(),
      '`false`',
    ),
    reveal_personal: noted(
      'Shows e-mail, telephone and document numbers whole. Use it only if the person needs them.',
      z.boolean().optional(),
      '`false`',
    ),
  }),

  output: () => ({
    booking: bookingSchema().optional(),
    ...unlisted(optionalStrings('customer')),
    refund: listedWithoutShape(refundSchema().optional()),
    ...unlisted(optionalStrings('change')),
    history: listedWithoutShape(z.array(z.object(strings('at', 'what'))).optional()),
  }),

  async run(args, ctx) {
    // Fetched beside the booking; `ctx.airline.placeName` then knows them. Never rejects.
    const placeNamesLoaded = loadPlaceNames(ctx.airline);

    const booking = await readNow(args.locator, ctx, {
      check(found) {
        if (args.surname === undefined || hasSurname(found, args.surname)) return;
        // The same error as for an unknown locator, so that nothing is revealed.
        throw new ClerkError('E_NOT_FOUND', `There is no booking ${args.locator} with that surname.`, {
          next: 'Ask the person for the booking reference and the surname as on the ticket.',
        });
      },
    });

    await placeNamesLoaded;

    const { view, head } = await fullBooking(booking, await operationsOn(booking, ctx), ctx, {
      detail: args.detail === 'full' ? 'full' : undefined,
      reveal: revealedPart(args),
    });

    const { locator } = booking;
    const asked = [{ locator, departs: firstDeparture(booking) }];
    const [changes, waiting] = await Promise.all([openChanges(booking, ctx), waitingQuestions(asked, ctx)]);
    const questions = waiting.get(locator) ?? [];
    const warnings = [
      ...questions.map((question) => `${capitalized(question)}.`),
      ...(head.warnings ?? []),
      ...changes,
    ];

    const isOpen = view.pending_operation !== undefined;
    const top = {
      ...head,
      next: questions.length > 0 && !isOpen ? answerStep([locator]) : head.next,
      warnings: filled(warnings),
    };
    if (args.detail === 'history') return { ...top, history: await bookingStory(booking, ctx) };

    return {
      ...top,
      booking: view,
      customer: await customerOf(booking, ctx),
      refund: bookingRefund(booking, ctx.now(), ctx),
      change: args.detail === 'full' ? undefined : changeFee(booking, ctx),
    };
  },

  text({ booking, customer, refund, change, history }) {
    if (booking === undefined) return historyLines(history);

    const when = isUnpaid(booking) ? 'cancelled after payment' : 'cancelled now';
    const refundLine = refund && refundText(refund, booking.currency ?? '').join(' ');

    return [
      bookingText(booking),
      customer && `Of ${customerText(customer)}.`,
      refundLine && `Refund if ${when}: ${refundLine}`,
      change && `Fee of a change: ${change}, beside the difference to a dearer fare.`,
    ];
  },
});

/** Whether the booking is a hold that is not paid, or what the airline left of one. */
function isUnpaid({ state, deadlines }: BookingView): boolean {
  return state === 'held' || (state === 'partly_cancelled' && deadlines?.pay_by !== undefined);
}

/** The wider of both arguments wins. */
function revealedPart({ reveal_personal: all, reveal_contact: contact }: RevealArgs): BookingViewOptions['reveal'] {
  if (all === true) return 'all';
  return contact === true ? 'contact' : undefined;
}

/** Tells what this server did for the booking, whoever asked, and what readings found. */
async function bookingStory(booking: Booking, ctx: ToolContext) {
  const { locator } = booking;
  const { caller, settings, state } = ctx;
  const from = earliestOf(booking);
  const [operations, ofLocator = [], asked = []] = await Promise.all([
    state.operations.list({ tenant: caller.tenant, locator, from, limit: MOST_EVENTS }),
    state.findings?.list(caller.tenant, { locators: [locator], limit: MOST_EVENTS }),
    ctx.state.questionsAbout?.(locator),
  ]);
  const findings = ofLocator.filter((finding) => isAbout(finding, booking));
  const questions = asked.filter(({ askedAt }) => from === undefined || askedAt >= from);

  const readers = readersOf(ctx);
  const reasons = await state.operations.reasons(operations.map(({ id }) => id));
  const changeWords = (finding: (typeof findings)[number]) => findingText(finding, readers);
  const context = { acts: ctx.acts, now: ctx.now(), changeWords, reasons };
  const events = bookingHistory({ operations, findings, questions }, context);
  return events.map(({ at, what }) => ({ at: minuteIn(at, settings.timeZone()), what }));
}

function historyLines(history: Awaited<ReturnType<typeof bookingStory>> = []): readonly string[] {
  if (history.length === 0) return ['Nothing happened to it here.'];
  return ['History:', ...history.map(({ at, what }) => `  ${showLocal(at)}: ${what}`)];
}

/** What the airline changed and nobody has dealt with. */
async function openChanges(booking: Booking, ctx: ToolContext): Promise<readonly string[]> {
  const open = await openFindings(ctx, [booking]);
  const changes = open.slice(0, MOST_CHANGES).map((finding) => changedSinceText(finding, readersOf(ctx)));
  return open.length > MOST_CHANGES ? [...changes, `${open.length - MOST_CHANGES} more changes`] : changes;
}

/** The fee of a change as far as the rules say it, in words. Undefined if the booking allows none, or has no rule for it. */
function changeFee(booking: Booking, { acts, now: clock, settings }: ToolContext): string | undefined {
  const now = clock();
  const exchange = acts.all.find(({ countedAs }) => countedAs === 'exchange');
  if (!isPaid(booking) || bookingState(booking, now).state === 'cancelled' || exchange === undefined) return undefined;

  const { dialect, assumedOperations } = settings;
  if (whyDone(booking, { deed: exchange.deed }, now) !== undefined) return undefined;
  if (exchange.whyNot?.(booking, { now, dialect, assumedOperations }) !== undefined) return undefined;

  const mayChange = (segment: Segment) => whyNotRebookOne(booking, segment, now) === undefined;
  const options = activeOptions(booking).filter(({ segments }) => segments.every(mayChange));
  const charges = options
    .flatMap((option) => flightsToChange(booking, option))
    .map((flight) => changeCharge(booking, flight, [], now));
  if (charges.every((each) => each === NO_RULE)) return undefined;

  const onlyFor = options.length < activeOptions(booking).length ? ` (only ${options.map(refsOf).join(', ')})` : '';
  const most = greatestIfAllKnown(charges.map(({ fees }) => fees));
  if (most !== undefined) {
    const fee = most.minor === 0 ? 'no fee' : `at most ${showMoney(most)} a ${vehicleOf(settings)}`;
    const words = quotes(charges.flatMap(({ airlineWords: said = [] }) => said));
    return `${fee}${onlyFor}${words && ` (${words})`}`;
  }

  const said = charges.map(({ rule, airlineWords: words = [], isInWords }) => {
    if (isInWords) return `by ${quotes(words)}`;
    const fee = rule.replace(/\.$/, '');
    return words.length === 0 ? fee : `${fee} (${quotes(words)})`;
  });
  return `${[...new Set(said)].join('; ')}${onlyFor}`;
}

function quotes(words: readonly string[]): string {
  return [...new Set(words)].map((each) => `the airline's words: ${quotedWords(each)}`).join(', ');
}

const refsOf = ({ segments }: Booking['options'][number]) => segments.map(({ ref }) => ref).join('+');
