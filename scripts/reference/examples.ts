/**
 * One example for every tool: a trip from the first question to the last refund. The reference shows the answers of real
 * calls.
 */
import type { Result } from '../../src/approvals/answer.ts';
import type { Office } from './office.ts';

export interface Example {
  readonly tool: string;
  readonly args: object;
  /** The terms that a person approved. */
  readonly asked?: readonly string[];
  readonly result: Result;
}

const CONTACT = { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' };

function person(given: string, number: string, gender: string) {
  const document = { type: 'passport', number, nationality: 'SA', expires: '2031-08-30' };
  return { type: 'ADT', given_name: given, surname: 'Haddad', gender, birth_date: '1991-04-17', document };
}

// biome-ignore lint/suspicious/noExplicitAny: calls use handles from earlier results
type Fields = any;

/** Throws if a call failed or its outcome is unknown: a page must not show one by accident. */
export function assertDone(tool: string, { isError, text, structured }: Result): void {
  if (isError || structured.status === 'pending' || structured.status === 'needs_person')
    throw new Error(`${tool}: ${text}`);
}

/** A round trip in business class for two. */
const ROUND_TRIP = {
  legs: [
    { from: 'QCA', to: 'XMD', date: '2026-12-10' },
    { from: 'XMD', to: 'QCA', date: '2026-12-12' },
  ],
  passengers: { adults: 2 },
  booking_classes: ['C'],
  max_results: 2,
};

/** Plays all examples in order. */
export async function playExamples(office: Office): Promise<readonly Example[]> {
  const played: Example[] = [];
  const show = async (tool: string, args: object): Promise<Fields> => {
    const { result, asked } = await office.call(tool, args);
    assertDone(tool, result);
    played.push({ tool, args, result, ...(asked && { asked }) });
    return result.structured;
  };
  const silently = async (tool: string, args: object): Promise<Fields> => {
    const { result } = await office.call(tool, args);
    assertDone(tool, result);
    return result.structured;
  };
  await show('list_routes', { from: 'QCA' });
  await show('get_calendar_dates', { from: 'QCA', to: 'XMD', start_date: '2026-12-10', end_date: '2026-12-16' });
  await show('find_cheapest_dates', {
    from: 'QCA',
    to: 'XMD',
    start_date: '2026-12-10',
    end_date: '2026-12-12',
    passengers: { adults: 2 },
  });
  const found = await show('search_fares', ROUND_TRIP);
  const held = await show('create_booking', {
    offer_ids: [found.offers[0].offer_id],
    contact: CONTACT,
    passengers: [person('Laila', 'P4402917', 'Female'), person('Omar', 'P4402918', 'Male')],
  });
  const { locator } = held.booking;
  await show('pay_booking', { locator, payment: { type: 'invoice' }, expected_total: held.booking.total });
  await show('read_booking', { locator });
  await show('get_seat_map', { locator, segment_refs: ['1'] });
  await show('get_tickets', { locator, passenger_refs: ['1'] });
  const seats = await silently('get_seat_map', { locator, segment_refs: ['1'], detail: 'full' });
  await show('assign_seats', {
    locator,
    seats: [{ segment_ref: '1', passenger_ref: '1', seat: freeSeat(seats) }],
  });
  await show('change_names', { locator, changes: [{ passenger_ref: '1', given_name: 'Layla' }] });
  await show('send_tickets', { locator, what: 'tickets' });
  await show('update_contact', { locator, email: 'travel@haddad.example' });
  await show('update_passenger', {
    locator,
    changes: [{ passenger_ref: '2', phone: { country_code: '966', number: '500000000' } }],
  });
  await show('request_service', { locator, passenger_ref: '2', service: { code: 'WCHS' } });
  await show('quote_cancellation', { locator, segment_refs: ['2'] });
  await show('cancel_segment', { locator, segment_refs: ['2'] });
  await show('cancel_passenger', { locator, passenger_refs: ['2'] });
  const others = async (given: string, number: string) => {
    const again = await silently('search_fares', ROUND_TRIP);
    return silently('create_booking', {
      offer_ids: [again.offers[1].offer_id],
      contact: CONTACT,
      passengers: [person(given, `${number}1`, 'Female'), person(`${given} Noor`, `${number}2`, 'Female')],
    });
  };
  const split = (await others('Rania', 'P55000')).booking.locator;
  await silently('pay_booking', { locator: split, payment: { type: 'invoice' } });
  await show('split_booking', { locator: split, passenger_refs: ['2'] });
  const later = await silently('search_fares', {
    ...ROUND_TRIP,
    legs: [{ from: 'QCA', to: 'XMD', date: '2026-12-11' }],
    passengers: { adults: 1 },
  });
  await show('rebook_segment', { locator: split, segment_ref: '1', offer_id: later.offers[0].offer_id });
  const unpaid = (await others('Salma', 'P66000')).booking.locator;
  await show('cancel_booking', { locator: unpaid });
  const two = [(await others('Dana', 'P77000')).booking.locator, (await others('Huda', 'P88000')).booking.locator];
  const steps = [{ tool: 'cancel_bookings', arguments: { locators: [...two, unpaid] } }];
  const { plan_id: plan } = await show('propose_plan', { steps });
  await show('run_plan', { plan_id: plan });
  const lost = (await others('Rima', 'P99000')).booking.locator;
  await silently('pay_booking', { locator: lost, payment: { type: 'invoice' } });
  await silently('read_booking', { locator: lost });
  office.cancelTrain(lost);
  const { changes } = await show('list_bookings', { locators: [lost] });
  await show('close_findings', { finding_ids: changes[0].finding_ids });
  await show('query_ledger', {
    sql: 'select act, outcome, count(*) as operations from operation group by act, outcome order by act',
  });
  return played;
}

/** The first free seat of a seat map in full. */
function freeSeat(map: Fields): string {
  const seats = map.segments[0].cabins[0].seats as { seat: string; status: string }[];
  const free = seats.find((seat) => seat.status === 'free');
  if (free === undefined) throw new Error('no free seat');
  return free.seat;
}
