/**
 * What the pictures of the views show: results of the sandbox airline on a day that never changes, and results that the
 * sandbox does not give by itself.
 */
import type { CallResult, MiniHost } from '../../test/browser/apps/mini-host.ts';
import { accept } from '../../test/clerk/calls/desk.ts';

/** A Tuesday morning in Makkah. */
export const STARTS_AT = '2026-12-01T06:00:00Z';

export interface Scene {
  /** The tool whose view is drawn. */
  readonly tool: string;
  readonly args: object;
  readonly result: CallResult;
}

const [FROM, TO] = ['QCA', 'XMD'];

export const dayOf = (host: MiniHost, after: number): string =>
  new Date(host.desk.sandbox.now() + after * 86_400_000).toISOString().slice(0, 10);

function person(given: string, number: string, gender: string) {
  const document = { type: 'passport', number, nationality: 'SA', expires: '2035-08-30' };
  return { type: 'ADT', given_name: given, surname: 'Haddad', gender, birth_date: '1991-04-17', document };
}

/** @param after days from now; another day is another booking for the same two */
export async function held(host: MiniHost, after: number): Promise<string> {
  const legs = [
    { from: FROM, to: TO, date: dayOf(host, after) },
    { from: TO, to: FROM, date: dayOf(host, after + 2) },
  ];
  const search = { legs, passengers: { adults: 2 }, booking_classes: ['C'], max_results: 1 };
  const found = (await host.desk.result('search_fares', search)).structured;
  const { structured } = await host.desk.result('create_booking', {
    offer_ids: (found.offers as { offer_id: string }[]).map(({ offer_id: id }) => id),
    contact: { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' },
    passengers: [person('Laila', 'P4402917', 'Female'), person('Omar', 'P4402918', 'Male')],
  });
  return (structured.booking as { locator: string }).locator;
}

export const payment = (locator: string) => ({ locator, payment: { type: 'invoice' } });

const toResult = ({ text, structured, meta }: Awaited<ReturnType<MiniHost['desk']['say']>>): CallResult => {
  const _meta = { 'io.github.fareclerk/title': meta?.title };
  return { content: [{ type: 'text', text }], structuredContent: structured, _meta } as CallResult;
};

/** The views of the docs. */
export async function docScenes(host: MiniHost): Promise<Readonly<Record<string, Scene>>> {
  const call = async (tool: string, args: object): Promise<Scene> => ({
    tool,
    args,
    result: await host.call(tool, args),
  });
  const leg = { from: FROM, to: TO, date: dayOf(host, 20), days_before: 3, days_after: 3 };
  const waiting = await held(host, 30);
  const settled = await held(host, 34);
  await host.desk.say('pay_booking', payment(settled), accept);
  return {
    fares: await call('search_fares', { legs: [leg], passengers: { adults: 2 }, max_results: 40 }),
    seats: await call('get_seat_map', { locator: settled, segment_refs: ['1'] }),
    terms: await call('pay_booking', payment(waiting)),
  };
}

/** Further states, for people who work on the views. */
export async function otherScenes(host: MiniHost): Promise<Readonly<Record<string, Scene>>> {
  const say = async (tool: string, args: object): Promise<Scene> => ({
    tool,
    args,
    result: toResult(await host.desk.say(tool, args, accept)),
  });
  const call = async (tool: string, args: object): Promise<Scene> => ({
    tool,
    args,
    result: await host.call(tool, args),
  });
  const made = (tool: string, structuredContent: object): Scene => ({
    tool,
    args: {},
    result: { content: [], structuredContent } as CallResult,
  });
  const out = (legs: object[], more: object = {}) => call('search_fares', { legs, passengers: { adults: 1 }, ...more });
  const there = { from: FROM, to: TO, date: dayOf(host, 20) };
  const back = { from: TO, to: FROM, date: dayOf(host, 24) };
  const [unpaid, paid] = [await held(host, 40), await held(host, 44)];
  const day = await out([there], { passengers: { adults: 2, children: 1 } });
  const { offers } = day.result.structuredContent as { offers: readonly { readonly legs: readonly object[] }[] };
  const refunds = [
    { refund_now: '0.00', kept_now: '388.75' },
    { refund_now: '1489.00', kept_now: '23.00', kept_includes_vat: true, valid_until: '2026-12-08T06:15+03:00' },
    { refund_now: '2204.40', kept_now: '0.00', valid_until: '2026-12-10T06:15+03:00' },
  ];
  const trains = ['YSAVE', 'YFLEX', 'CFLEX'].map((code, i) => ({
    ...offers[0],
    total: ['388.75', '1512.00', '2204.40'][i],
    offer_id: `o${i}`,
    legs: [{ ...offers[0]?.legs[0], fare: { code, name: ['Economy Saver', 'Economy Flex', 'Business Flex'][i] } }],
    refund: refunds[i],
  }));
  const pay = await say('pay_booking', payment(paid));
  const ask = await call('cancel_segment', { locator: paid, segment_refs: ['1'] });
  const cancelled = await say('cancel_segment', { locator: paid, segment_refs: ['2'] });
  return {
    'fares-one-day': day,
    'fares-named': {
      ...day,
      result: {
        ...day.result,
        structuredContent: { ...(day.result.structuredContent as object), offers: trains },
      } as CallResult,
    },
    'fares-return': await out([there, back]),
    'fares-error': await out([there], { booking_classes: ['Q'] }),
    'seats-not-paid': await call('get_seat_map', { locator: unpaid }),
    'seats-two-trips': await call('get_seat_map', { locator: paid }),
    'terms-cancel': ask,
    'terms-paid': pay,
    'terms-cancelled': cancelled,
    'terms-pending': made('pay_booking', { status: 'pending', booking: { locator: paid } }),
    'terms-person': made('pay_booking', {
      status: 'needs_person',
      summary: `The payment for booking ${paid} needs checking with the airline. It is not certain what was done, and nothing more is sent.`,
      warnings: ['Ask the airline whether the booking is paid.'],
      booking: { locator: paid },
    }),
  };
}
