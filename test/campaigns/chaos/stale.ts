/**
 * The booking changes in one field between the question and the approval: the old approval must not count, and nothing
 * may be sent. Changes every field of the booking in turn, for every act.
 *
 *   node test/campaigns/chaos/stale.ts [--runs 10000] [--seed S]
 */
import { shownBooking } from '../../../src/domain/booking/shown-booking.ts';
import { ACTS } from '../support/acts.ts';
import { type OtaAirline, openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { codeOf, openOffice } from '../support/office.ts';
import { command, counted, type ProofOptions, type Proved } from '../support/report.ts';
import { fieldChanges } from './support/field-changes.ts';

/** A rule of the booking as it is now may forbid the act: that is said instead of new terms. */
const FINE = [
  ...['E_APPROVAL_STALE', 'E_ALREADY_DONE', 'E_NOT_PERMITTED', 'E_TOO_LATE', 'E_NOT_PAID', 'E_INPUT'],
  'E_AIRLINE_REPLY',
];

/** One answer for good: what is asked of a changed booking must not change the answer. */
function always<T>(ask: (query: T) => Promise<unknown>) {
  let answer: Promise<unknown> | undefined;
  return (query: T) => {
    answer ??= ask(query);
    return answer as Promise<never>;
  };
}

/** Bookings as the adapter reads them, and an airline that shows the booking it is given. */
async function ground(dialect: 'rail' | 'airline') {
  const { airline, stock, close } = await openAirline({ dialect });
  const { reading: held } = await airline.read((await stock.held()).locator);
  const { reading: ticketed } = await airline.read(await stock.ticketed());
  /** What the airline shows of it, and how often something was sent. */
  const shown = { reading: held, sends: 0 };
  const sent = async (): Promise<never> => {
    shown.sends += 1;
    throw new Error('sent');
  };
  const showing: OtaAirline = {
    ...airline,
    ...{ create: sent, createFromCounts: sent, pay: sent, modify: sent, cancel: sent },
    ...{ seatMap: always(airline.seatMap), searchFares: always(airline.searchFares) },
    read: async () => shownBooking(shown.reading),
  };
  return { office: await openOffice({ airline: showing, dialect, close }), shown, held, ticketed };
}

async function casesOn(on: Awaited<ReturnType<typeof ground>>) {
  const cases = [];
  for (const act of ACTS) {
    const base = on[act.on];
    on.shown.reading = base;
    const args = await act.args(base.locator, on.office.look);
    // Not bound: what goes back to the airline as it came, which is read again just before the sending, and where ticket documents lie.
    const changes = fieldChanges(
      base,
      ([first, , third]) => first === 'source' || (first === 'tickets' && third === 'links'),
    );
    cases.push(...changes.map((change) => ({ on, act, args, base, change })));
  }
  return cases;
}

async function proveStale({ runs, seed }: ProofOptions): Promise<Proved> {
  const grounds = [await ground('rail'), await ground('airline')];
  const cases = (await Promise.all(grounds.map(casesOn))).flat();
  const chosen = new Chance(seed).shuffled(cases).slice(0, runs);
  const problems: string[] = [];
  const codes: string[] = [];
  for (const { on, act, args, base, change } of chosen) {
    const { office, shown } = on;
    const before = shown.sends;
    shown.reading = base;
    const question = await office.question(act.tool, args);
    shown.reading = change.apply(base);
    const result = await office.yes(act.tool, args, question);
    const code = codeOf(result);
    codes.push(code);
    const { effect } = (result.structured.error ?? {}) as { effect?: string };
    const sends = shown.sends - before;
    if (sends > 0 || !FINE.includes(code) || effect !== 'none')
      problems.push(`${act.name}: ${change.path.join('.')} ${change.how}: ${code}, ${sends} sent`);
  }
  const sends = grounds.reduce((sum, { shown }) => sum + shown.sends, 0);
  for (const { office } of grounds) {
    problems.push(...office.failures.map((error) => `failed inside: ${String(error)}`));
    await office.close();
  }
  const seen = `${chosen.length} of ${cases.length} single-field changes under ${ACTS.length} acts: ${sends} sent; ${counted(codes)}`;
  return { seen, problems };
}

await command('stale', 10_000, proveStale);
