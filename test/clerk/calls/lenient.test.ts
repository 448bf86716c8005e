/**
 * Arguments as people and models write them. What can mean only one thing is taken, as the same arguments for every approval;
 * what can mean two is refused with both, and several faults are named at once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTACT, passenger } from '../../support/people.ts';
import { dayFrom, heldBooking, refundableTrip, ticketedBooking } from './bookings.ts';
import { type Desk, errorOf, failures, openDesk, PAY } from './desk.ts';

let desk: Desk;
let held: string;
let ticketed: string;
let total: string;

beforeAll(async () => {
  desk = await openDesk();
  [held, ticketed] = [await heldBooking(desk), await ticketedBooking(desk)];
  total = (await bookingOf(held)).total;
});
afterAll(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

async function bookingOf(locator: string) {
  const { structured } = await desk.result('read_booking', { locator, detail: 'full' });
  return structured.booking as { total: string; passengers: readonly { gender: string; birth_date: string }[] };
}

const refused = async (tool: string, args: object) => errorOf(await desk.result(tool, args));
describe('codes', () => {
  test('are taken in any case and as words', async () => {
    const { offer_id } = await refundableTrip(desk, 1);
    const { document, ...person } = passenger('P7654399', { birth_date: '1990-4-5' }, desk.sandbox.now());
    const said = { type: 'adult', gender: 'female', document: { ...document, type: 'Passport', nationality: 'sau' } };
    const args = { offer_ids: offer_id, contact: CONTACT, passengers: { ...person, ...said } };
    const made = await desk.result('create_booking', args);
    expect(made.isError, made.text).toBe(false);
    const { locator } = made.structured.booking as { locator: string };
    const { passengers } = await bookingOf(locator.toLowerCase());
    expect(passengers).toMatchObject([{ type: 'ADT', gender: 'Female', birth_date: '1990-04-05' }]);
  });

  test('of classes, stations, counts and switches are taken as a search writes them', async () => {
    const leg = { to: 'xmd', date: `${dayFrom(desk, 20)}T00:00:00` };
    const found = async (over: object) => {
      const args = { legs: { from: 'qca', ...leg }, passengers: { adults: '2' }, direct_only: 'False', ...over };
      const { isError, text, structured } = await desk.result('search_fares', args);
      expect(isError, text).toBe(false);
      return structured.total_found;
    };
    expect(await found({ booking_classes: 'c', detail: 'Full' })).toBe(await found({ booking_classes: ['C'] }));
    const first = { legs: { from: 'QCA', ...leg }, passengers: { adults: 1 }, booking_classes: 'first' };
    expect((await refused('search_fares', first)).message).toContain('booking_classes[0]: expected one letter');
  });
});

describe('passengers and trains', () => {
  test.each<[string, object, readonly string[]]>([
    ['a bare number', { passenger_refs: 2 }, ['2']],
    ['one text', { passenger_refs: '1, 2' }, ['1', '2']],
    ['refs with "and"', { passenger_refs: '2 and 1' }, ['1', '2']],
    ['"all", where a call without refs is about all', { passenger_refs: ['All'] }, []],
    ['nothing', {}, []],
  ])('are meant by %s', async (_title, args, refs) => {
    const call = (over: object) => desk.result('quote_cancellation', { locator: ticketed, ...over });
    const quote = await call(args);
    expect(quote.isError, quote.text).toBe(false);
    expect(quote.structured).toEqual((await call(refs.length === 0 ? {} : { passenger_refs: refs })).structured);
  });

  test('are refused by name, with the refs and names of all', async () => {
    const cancelling = (...passenger_refs: string[]) =>
      refused('cancel_passenger', { locator: ticketed, passenger_refs });
    const noRef = /^passenger_refs: no such ref; the booking has 1 Amal Haddad.*, 2 Noor Haddad/;
    expect((await cancelling('Haddad')).message).toMatch(noRef);
    const both = /^passenger_refs: no 7 and 9; the booking has 1 Amal Haddad.*, 2 Noor Haddad/;
    expect((await cancelling('7', '9')).message).toMatch(both);
    const changes = ['7', '2', 8].map((passenger_ref) => ({ passenger_ref, given_name: 'A' }));
    const many = await refused('change_names', { locator: ticketed, changes });
    expect(many.message).toMatch(/changes\[0\]\.passenger_ref: no 7;.*changes\[2\]\.passenger_ref: no 8;/);
    expect(many.next).toContain('valid values for changes[0].passenger_ref and changes[2].passenger_ref.');
  });

  test('are "all" only where a tool can take all', async () => {
    expect((await desk.ask('cancel_segment', { locator: ticketed, segment_refs: 'all' })).act).toBe(
      (await desk.ask('cancel_segment', { locator: ticketed, all: 'true' })).act,
    );
    const nobody = await refused('cancel_passenger', { locator: ticketed, passenger_refs: 'all' });
    expect(nobody.message).toContain('passenger_refs: no all; the booking has');
    const both = await refused('cancel_segment', { locator: ticketed, segment_refs: 'all', all: false });
    expect(both.message).toContain('no all');
  });
});

test('the steps of a plan are read like calls', async () => {
  const proposed = async (tool: string, args: object) => {
    const { structured, text } = await desk.result('propose_plan', {
      steps: { tool, arguments: { locator: ticketed.toLowerCase(), ...args } },
    });
    expect(structured.error, text).toBeUndefined();
    const { lines } = structured as unknown as { lines: readonly { locator: string; money: string }[] };
    return lines.map(({ locator, money }) => [locator, money]);
  };
  const one = await proposed('cancel_passenger', { passenger_refs: ['2'] });
  expect(one).toEqual([[ticketed, expect.any(String)]]);
  expect(await proposed('cancel_passenger', { passenger_refs: 2 })).toEqual(one);
  const all = await proposed('cancel_segment', { all: true });
  expect(await proposed('cancel_segment', { segment_refs: 'all' })).toEqual(all);
});

describe('a call in another spelling', () => {
  test('is the call that was approved, also when the passenger has left, and no other call is', async () => {
    const locator = await ticketedBooking(desk);
    const asked = await desk.ask('cancel_passenger', { locator, passenger_refs: ['2'] });
    const calling = (passenger_refs: unknown) =>
      desk.result('cancel_passenger', { locator, passenger_refs, approval_id: asked.handle });
    for (const other of ['Noor', '1'])
      expect([other, errorOf(await calling(other)).code]).toEqual([other, 'E_APPROVAL_INVALID']);
    const before = desk.acts().length;
    const done = await asked.yes({ locator: locator.toLowerCase(), passenger_refs: '2' });
    expect(done.structured, done.text).toMatchObject({ status: 'done', cancelled_passenger_refs: ['2'] });
    const after = desk.acts().length;
    expect(after).toBeGreaterThan(before);
    for (const said of ['2', ['2'], 2])
      expect((await calling(said)).structured).toMatchObject({ status: 'already_done' });
    expect(desk.acts()).toHaveLength(after);
  });

  test('of an amount asks the same with its currency, commas or as a number; another currency is refused', async () => {
    const written = total.replace(/\B(?=(\d{3})+\.)/g, ',');
    const { handle, act } = await desk.ask('pay_booking', { locator: held, ...PAY, expected_total: total });
    for (const expected_total of [Number(total), `SAR ${total}`, `${written} sar`, `SAR${written}`]) {
      expect((await desk.ask('pay_booking', { locator: held, ...PAY, expected_total })).act).toBe(act);
    }
    const other = { locator: held, ...PAY, expected_total: `EUR ${total}` };
    expect((await refused('pay_booking', other)).message).toMatch(/^expected_total: expected an amount in SAR/);
    expect((await refused('pay_booking', { ...other, approval_id: handle })).code).toBe('E_APPROVAL_INVALID');
    const both = await refused('pay_booking', { locator: held, ...PAY, expected_total: '1,725' });
    expect(both.message).toContain('expected an amount such as "172.50"');
  });
});

describe('what is refused', () => {
  test('a date that can be two days, with both: the person says which', async () => {
    const legs = (date: string) => ({ legs: { from: 'QCA', to: 'XMD', date }, passengers: { adults: 1 } });
    const asked = [
      ['03/04/2026', 'ask the person whether 2026-04-03 or 2026-03-04 is meant'],
      ['3.4.2026', 'ask the person whether 2026-04-03 or 2026-03-04 is meant'],
      ['2026-12-05T22:00:00Z', 'ask the person which day is meant'],
      ['31/31/2026', 'ask the person which day is meant'],
    ] as const;
    for (const [date, question] of asked) {
      const { message } = await refused('search_fares', legs(date));
      expect(message).toContain(question);
    }
  });

  test('another way to pay, without proposing one', async () => {
    for (const type of ['card', 'casj', 'credit', 'account']) {
      const { message, next } = await refused('pay_booking', { locator: held, payment: { type } });
      expect(message).toContain('expected one of external, credit_card, cash, debit_credit_account, invoice');
      expect(message).toContain('no way to pay stands in for another');
      expect(next).not.toMatch(/external|card|cash|account|invoice/);
    }
    expect((await desk.ask('pay_booking', { locator: held, payment: { type: 'Credit Card' } })).act).toMatch(/^Pay/);
  });

  test('ten faults at once, in the message and in the next step, then how many more', async () => {
    const { message, next } = await refused('create_booking', {
      offer_id: 'o1',
      contact: { given_name: 'Amal', surname: 'Haddad', email: 'amal', country: 'XYZ' },
      passengers: [
        { type: 'SEN', gender: 'x' },
        { type: 'child', birth_date: '03/04/2020' },
      ],
    });
    const named = ['offer_id', 'contact.email', 'contact.country'];
    for (const field of [...named, 'passengers[0].type', 'passengers[0].surname', 'passengers[0].gender'])
      expect([field, message.includes(`${field}: `), next.includes(field)]).toEqual([field, true, true]);
    expect(message.match(/(?:^|\. )[a-z_.[\]\d]+: /g)).toHaveLength(10);
    expect(message).toMatch(/And \d+ more\. Nothing was sent\.$/);
    expect(next).toMatch(/ and \d+ more; ask the person where you do not know it\.$/);
  });

  test('people too old or too young for their types, all of them, with the right type', async () => {
    const { offer_id } = await refundableTrip(desk, 3);
    const boy = { given_name: 'Sami', birth_date: '2012-01-01', type: 'CHD' };
    const people = [{}, boy, { ...boy, given_name: 'Rami' }].map((one, i) =>
      passenger(`P88${i}1234`, one, desk.sandbox.now()),
    );
    const args = { offer_ids: offer_id, contact: CONTACT, passengers: people };
    const { message, next } = await refused('create_booking', args);
    for (const i of [1, 2])
      expect(message).toMatch(new RegExp(`passengers\\[${i}\\]\\.type: .* so of type ADT, not CHD`));
    expect(next).toContain('Call search_fares again for the right party');
  });
});
