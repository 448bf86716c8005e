/** The trip of the demo, as a script: what the traveller says, which tool the assistant calls, and what it answers. */
import { showAmount } from '../../core/money.ts';
import { DAY_MS, showDay, utcDay } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import type { Terminal } from '../terminal/command.ts';
import { type DemoFields, type DemoLeg, openHost } from './host.ts';
import { FROM, TO } from './parties.ts';
import { must, NOTHING_SENT, type Stage, WITHOUT_YES } from './stage.ts';

const TITLE = 'A trip';
const NOTE = 'Client and server are real. The airline is a sandbox, so no real money moves.';

const OUTWARD_DAY = 20;
const RETURN_DAY = 22;
const dayFromToday = (days: number): string => utcDay(Date.now() + days * DAY_MS);

const CONTACT = { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' };
const passenger = (given_name: string, gender: string, birth_date: string, number: string) => {
  const document = { type: 'passport', number, nationality: 'SA', expires: '2031-08-30' };
  return { type: 'ADT', given_name, surname: 'Haddad', gender, birth_date, document };
};
const PASSENGERS = [
  passenger('Layla', 'Female', '1991-04-17', 'P4402917'),
  passenger('Omar', 'Male', '1988-11-02', 'P4402918'),
];

/** One sentence of the traveller, and the call that answers it. Returns the structured half of the result; undefined without a yes. */
type AskClerk = (
  traveller: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<DemoFields | undefined>;

/**
 * Plays the trip. Ends early, and well, if the person says no.
 * @param stateDir default: a temporary one, removed at the end
 * @throws StoryFailure at the first result that is not right
 */
export async function performTrip(
  stage: Stage,
  terminal: Pick<Terminal, 'execPath' | 'argv' | 'env'>,
  stateDir?: string,
): Promise<void> {
  stage.title(TITLE, NOTE);
  const host = await openHost({ terminal, stateDir, answer: stage.dialog.bind(stage) });

  const ask: AskClerk = async (traveller, tool, args) => {
    stage.says('traveller', traveller);
    const { data, isError } = await host.call(tool, args);
    if (data.status === 'approval_required' || WITHOUT_YES.has(data.error?.code)) return undefined;
    must(!isError, `${tool} was refused`);
    return data;
  };

  try {
    if (!(await tellTrip(stage, ask))) stage.confirms(NOTHING_SENT);
  } finally {
    await host.close();
  }
}

/** Search, hold, payment, seats and the cancellation of the way back. Returns false without a yes. */
async function tellTrip(stage: Stage, ask: AskClerk): Promise<boolean> {
  const [outward, back] = [dayFromToday(OUTWARD_DAY), dayFromToday(RETURN_DAY)];
  const found = await ask(
    `Two of us would like to go from Makkah to Madinah on ${showDay(outward)} and back on ${showDay(back)}, in business class. Our plans may change.`,
    'search_fares',
    {
      legs: [
        { from: FROM, to: TO, date: outward },
        { from: TO, to: FROM, date: back },
      ],
      passengers: { adults: 2 },
      booking_classes: ['C'],
      max_results: 3,
    },
  );
  const { offers: [offer] = [], currency = '' } = found ?? {};
  must(offer !== undefined, 'no offer came');

  const [outwardTime, backTime] = offer.legs.map(departureTime);
  stage.says(
    'assistant',
    `The cheapest leaves at ${outwardTime}, and the train back at ${backTime}: ${showAmount(offer.total, currency)} for both of you. A hold is free. May I have your names?`,
  );

  const held = await ask('Layla and Omar Haddad. Here are our passports.', 'create_booking', {
    offer_ids: [offer.offer_id],
    contact: CONTACT,
    passengers: PASSENGERS,
  });
  const { booking, refund } = held ?? {};
  must(booking?.state === 'held' && booking.total === offer.total, 'the hold is not what was asked for');

  const { locator } = booking;
  stage.says(
    'assistant',
    `Held as ${locator}, not paid. If you pay and then cancel both trains, about ${showAmount(refund?.refund_now ?? '0', booking.currency)} comes back. Shall I pay?`,
  );

  const paid = await ask('Pay it, on invoice.', 'pay_booking', {
    locator,
    payment: { type: 'invoice' },
    expected_total: offer.total,
  });
  if (paid === undefined) return false;

  must(paid.status === 'done', `the payment is ${paid.status}`);
  stage.says('assistant', `Paid. Your tickets: ${listed((paid.tickets ?? []).map(({ number }) => number))}.`);

  const map = await ask('Where do we sit on the way there?', 'get_seat_map', { locator, segment_refs: ['1'] });
  const seats = (map?.segments ?? []).flatMap(({ cabins }) => cabins.flatMap((cabin) => cabin.yours ?? []));
  const places = seats.map(({ seat, coach }) => (coach ? `coach ${coach} seat ${seat}` : `seat ${seat}`));
  stage.says('assistant', `In ${listed(places)}.`);

  const cancelled = await ask('Plans have changed: we stay in Madinah. Please cancel the way back.', 'cancel_segment', {
    locator,
    segment_refs: ['2'],
  });
  if (cancelled === undefined) return false;

  const { stated, estimate } = cancelled.refund ?? {};
  must(stated !== undefined && stated.back === estimate?.back, 'the refund is not the estimated one');

  stage.says(
    'assistant',
    `Cancelled. ${showAmount(stated.back, cancelled.refund?.currency ?? '')} comes back, as estimated. The way there is still booked. Have a good journey!`,
  );

  return true;
}

/** Local time of departure, such as `08:30`. */
function departureTime({ departs, segments }: DemoLeg): string {
  return (departs ?? segments?.[0]?.departs ?? '').slice(11, 16);
}
