/**
 * Defines a tool that changes a booking with one request, and adds what every such tool needs: the reading of the booking, the
 * refusal, the usual sections of the terms, and a report by the title of the act.
 */

import type * as z from 'zod';
import { actSentence } from '../../approvals/asked-act.ts';
import type { Terms, TermsSection } from '../../approvals/terms.ts';
import { type Money, sameMoney, showMoney } from '../../core/money.ts';
import type { DetailsCard } from '../../details/details-form.ts';
import type { Dialect, Modification } from '../../domain/airline.ts';
import { activeSegments, type Booking, type Deed } from '../../domain/booking/booking.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { askedChange } from '../../domain/facts/asked-people.ts';
import { pointedAnew } from '../../domain/facts/bound.ts';
import type { Telling } from '../../domain/facts/changes-an-act-binds.ts';
import type { ExpectedChange } from '../../domain/facts/expected-change.ts';
import { keptReading } from '../../domain/facts/kept-reading.ts';
import type { ActPart, Circumstances } from '../../journal/act.ts';
import {
  type ActReport,
  type ActTool,
  type DeskPart,
  type Done,
  defineAct,
  type Fields,
  type InputSchema,
  isAssumed,
  joinLines,
  type Reporting,
  type Schemas,
  type ToolBasics,
  type ToolContext,
} from '../definition/define.ts';
import { strings } from '../definition/field-notes.ts';
import { althoughDone, approvalId, locator } from '../definition/input-fields.ts';
import { withDoneAgain } from '../rules/done-again.ts';
import { refuseDone } from '../rules/done-here.ts';
import { type Refusal, refuse } from '../rules/why-not.ts';
import { readNow } from '../steps/record-booking.ts';
import { section, tripLines } from '../views/terms-text.ts';

const ASSUMED_TERM =
  'The airline does not document this request: we send the form that other airlines accept, and check the booking.';
const ASSUMED_RESULT = 'The airline does not document this request, so ask the person to check the booking.';

export interface ModifySend {
  readonly modification: Modification;
}

/** The terms of a change. By default `ask` is true, its nature is `change`, and `act` is its first section too. */
export type ChangeTerms = Pick<Terms, 'sections' | 'act' | 'subject'> &
  Partial<Pick<Terms, 'ask' | 'nature' | 'money' | 'estimate' | 'facts' | 'binds' | 'sold' | 'reason' | 'warnings'>> &
  ModifySend;

/** Completes the terms of a change with their defaults. */
export function writeChangeTerms(booking: Booking, { modification, ...terms }: ChangeTerms): Terms<ModifySend> {
  const asked = askedOf(booking, modification);
  return { locator: booking.locator, booking, ask: true, nature: 'change', ...terms, asked, send: { modification } };
}

/** What a change asks of the people of a hold. */
function askedOf(booking: Booking, modification: Modification): Terms['asked'] {
  if (isPaid(booking)) return undefined;

  switch (modification.kind) {
    case 'change_names':
    case 'update_passengers':
      return (digest) => askedChange(booking.reading, { travelers: modification.travelers }, digest);
    case 'update_contact':
      return (digest) => askedChange(booking.reading, { travelers: [], contact: modification.contact }, digest);
    default:
      return undefined;
  }
}

export function noteLines(warnings: readonly string[]): readonly string[] {
  return warnings.map((warning) => `Note: ${warning}`);
}

/** Warns about a changed price. */
function priceChangedText({ was, now }: { readonly was: Money; readonly now: Money }): string {
  return `The price changed: it was ${showMoney(was)}, it is now ${showMoney(now)}. Tell the person.`;
}

/** Gives the price of the whole booking before and after an act. Undefined if either is not known. */
export function comparePrices(before: Booking | undefined, after: Booking | undefined) {
  const was = before?.pricing?.total?.total;
  const now = after?.pricing?.total?.total;
  return was === undefined || now === undefined ? undefined : { was, now };
}

/** Warns if the whole booking costs something else after an act that costs nothing. */
export function priceWarnings(before: Booking | undefined, after: Booking | undefined): readonly string[] {
  const prices = comparePrices(before, after);
  return prices === undefined || sameMoney(prices.was, prices.now) ? [] : [priceChangedText(prices)];
}

type WithLocator<I> = I & {
  readonly locator: ReturnType<typeof locator>;
  readonly although_done: ReturnType<typeof althoughDone>;
  readonly approval_id: ReturnType<typeof approvalId>;
};

/** The arguments of a change: those of its tool, and those of every change. */
type ChangeArgs<I extends Fields> = z.output<InputSchema<WithLocator<I>>>;

interface OfEveryChange {
  readonly locator: string;
  readonly although_done?: boolean;
}

type WhyNot = (booking: Booking, circumstances: Circumstances) => Refusal | undefined;

/** An act whose own reasons refuse its tool as well. */
export interface RefusingAct<E extends ExpectedChange = ExpectedChange> extends ActPart<E> {
  readonly whyNot: WhyNot;
}

/** The reasons that refuse the tool before its arguments are read: the act's, or else the tool's own. */
type RefusalReasons =
  | { readonly act: RefusingAct; readonly whyNot?: undefined }
  | { readonly act: ActPart; readonly whyNot: WhyNot };

/** What a tool of a change says, except why it is refused. */
interface ChangeParts<I extends Fields, X extends Fields>
  extends ToolBasics,
    Schemas<I, X>,
    Pick<Reporting<InputSchema<WithLocator<I>>, z.ZodObject<X>>, 'text'>,
    Telling {
  /** For a call that asks for something of the desk's own records. */
  readonly ofDesk?: DeskPart<ChangeArgs<I>, z.input<z.ZodObject<X>>>;
  /** What its terms need of the airline besides the booking. */
  readonly looksUp?: ActTool['requests'];
  /** What a call does, by the refs of its arguments. */
  doing(args: ChangeArgs<I>): readonly Deed[];
  /** Checks the arguments before the booking is read. */
  checkArgs?(args: ChangeArgs<I>): void;
  /** Says whom the details page asks for what: one card for each change. Throws ClerkError if a change cannot be made. */
  cards?(booking: Booking, args: ChangeArgs<I>): readonly DetailsCard[];
  /** Writes the terms. Reads only. Throws ClerkError if a rule forbids the change. */
  terms(booking: Booking, args: ChangeArgs<I>, ctx: ToolContext): ChangeTerms | Promise<ChangeTerms>;
  /** Reports from evidence only; a repeated call can come long after. By default `summary` says the title of the act. */
  report(done: Done<ChangeArgs<I>>, ctx: ToolContext): ActReport<z.ZodObject<X>> | Promise<ActReport<z.ZodObject<X>>>;
}

type BookingChange<I extends Fields, X extends Fields> = ChangeParts<I, X> & RefusalReasons;

/** Adds `locator`, `although_done` and `approval_id` to the input. For an undocumented request, adds `assumption` to terms and output. */
export function defineBookingChange<I extends Fields, X extends Fields>(
  tool: BookingChange<I, X>,
): ActTool<InputSchema<WithLocator<I>>, z.ZodObject<X>, ModifySend> {
  const { checkArgs, whyNot: _, doing: __, terms, cards, looksUp = [], ...common } = tool;
  const { whyNot } = tool.whyNot === undefined ? tool.act : tool;

  const readChangeable = async (given: ChangeArgs<I>, ctx: ToolContext) => {
    checkArgs?.(given);
    // Every input has these; its generic type does not show it.
    const { locator, although_done: althoughDone } = given as typeof given & OfEveryChange;
    const known = await readNow(locator, ctx);
    const now = ctx.now();

    const args = argsOn(known, given, ctx);
    const next = { deed: tool.act.deed, doing: tool.doing(args) };
    const { booking, again } = refuseDone(known, next, { now, althoughDone });
    refuse(booking, whyNot(booking, { now, ...ctx.settings }));
    return { booking, args, again };
  };

  const isAssumedIn = (ctx: ToolContext) => isAssumed(tool.assumed, ctx.settings.dialect);

  return defineAct<WithLocator<I>, X, ModifySend>({
    ...common,
    description: `${tool.description}${assumedNote(tool.assumed)}`,
    effect: 'commit',
    requests: ['modify', ...looksUp],
    input: () => ({ locator: locator(), ...tool.input(), although_done: althoughDone(), approval_id: approvalId() }),

    output: () => ({
      ...tool.output(),
      ...(tool.assumed && strings('assumption')),
    }),

    detailsForm:
      cards &&
      (async (args, ctx) => {
        const { booking } = await readChangeable(args, ctx);
        const segments = activeSegments(booking);
        return { trip: tripLines(segments, ctx), segments, cards: cards(booking, args) };
      }),

    async preview(given, ctx) {
      const { booking, args, again } = await readChangeable(given, ctx);
      const changeTerms = await terms(booking, args, ctx);
      const sections = withUsualSections(changeTerms, isAssumedIn(ctx));
      return withDoneAgain(writeChangeTerms(booking, { ...changeTerms, sections }), booking, tool.name, again);
    },

    async commit(confirmed, ctx) {
      return { booking: await ctx.airline.modify(confirmed) };
    },

    async report(done, ctx) {
      const { terms } = done;
      const args = terms?.booking === undefined ? done.args : argsOn(terms.booking, done.args, ctx);
      const { added, ...report } = await tool.report({ ...done, args }, ctx);
      const { locator, subject, outcome } = done.operation;

      return {
        summary: `${tool.act.title(subject, outcome)} in booking ${locator}.`,
        ...report,
        added: isAssumedIn(ctx) ? { ...added, assumption: ASSUMED_RESULT } : added,
      };
    },

    text(output) {
      const { assumption } = output as typeof output & { readonly assumption?: string };
      return [joinLines(tool.text?.(output) ?? '') || undefined, assumption];
    },
  });
}

/** The arguments with the pointers that this reading of the booking has. */
function argsOn<A>(booking: Booking, args: A, { pointed, now, identity }: ToolContext): A {
  return pointed === undefined ? args : pointedAnew(args, pointed, keptReading(booking, now(), identity));
}

/** Says in the description of a tool in which dialects its request is not documented. */
function assumedNote(dialects: readonly Dialect[] = []): string {
  if (dialects.length === 0) return '';
  return dialects.length === 1 ? ` Assumed request in the ${dialects[0]} dialect.` : ' Assumed request.';
}

/** Adds what the change does as the first section, and as the last that the airline does not document the request. */
function withUsualSections({ act, sections }: ChangeTerms, isUndocumented: boolean): readonly TermsSection[] {
  const actSections = sections.some(({ kind }) => kind === 'act')
    ? []
    : [{ ...section('act', `${actSentence(act)}.`), below: [] }];
  const cautions = isUndocumented ? [section('caution', ASSUMED_TERM)] : [];
  return [...actSections, ...sections, ...cautions];
}
