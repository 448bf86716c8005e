/** A booking whose travellers entered details on the details page: what results, terms, warnings and errors say of it. */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { held, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { type Booking, CALLER, openDesk } from './support/desk.ts';

const DOCUMENT = { number: 'K7654987', docType: '2', nationality: 'SA', expires: '2031-01-01' };
const AMAL = traveler('1', 'Amal', 'Haddad', { document: DOCUMENT });
const DOCS = {
  code: 'DOCS',
  text: 'P/SA/K7654987/SA/12APR90/F/01JAN31/HADDAD/AMAL',
  travelerRefs: ['1'],
  segmentRefs: [],
};
const OTHS = { code: 'OTHS', text: 'BORN 12APR1990 or file 1977-998-1, window', travelerRefs: ['1'], segmentRefs: [] };
const MORE = {
  travelers: [AMAL],
  services: [DOCS, OTHS],
  remarks: ['Passport k 765 4987 seen, valid to 2031-01-01, file 998-1234'],
  emds: [{ number: '7700001', type: 'A', text: 'for K7654987' }],
};
const SECRETS = /7654987|1990|12APR|90-04|2031|01JAN|1977|998/i;

type Facts = NonNullable<Parameters<typeof newOperation>[1]>;
type Desk = Awaited<ReturnType<typeof openDesk>>;

/** An operation of the desk with travellers who entered details, by a colleague. */
async function entered({ state }: Desk, over: Facts = {}, to: 'succeeded' | 'resolved' = 'succeeded', outcome = {}) {
  const { locator: _, ...operation } = newOperation('by-page', {
    tenant: CALLER.tenant,
    caller: 'bob',
    facts: { details: 'page' },
  });
  await state.operations.insert({ ...operation, locator: 'ABC123', ...over }, { now: 1, owner: 'p', leaseUntil: 2 });
  await state.operations.transition('by-page', { from: ['intent'], to, patch: { outcome } }, { now: 2, actor: 'p' });
}

async function deskWith(booking: Booking, ...more: Parameters<typeof entered> extends [Desk, ...infer R] ? R : never) {
  const desk = await openDesk({ bookings: [booking] });
  await entered(desk, ...more);
  return desk;
}

const ask = { locator: 'ABC123', detail: 'full', reveal_personal: true };

describe('read_booking', () => {
  test('shows no birth date, number or day of expiry, whatever is asked for, and says why', async () => {
    const desk = await deskWith(ticketed(MORE));
    for (const args of [ask, { ...ask, reveal_personal: false }, { ...ask, detail: 'concise' }]) {
      const { view, text } = await desk.read('read_booking', args);
      expect(`${text}${JSON.stringify(view)}`).not.toMatch(SECRETS);
      const [{ document, gender, birth_date }] = view.booking.passengers;
      expect([document, gender, birth_date]).toEqual([
        { type: 'passport', number_masked: '•••', nationality: 'SA' },
        'Female',
        undefined,
      ]);
      expect(view.warnings).toEqual([expect.stringMatching(/^Birth dates, .* not shown: .* on the details page\.$/)]);
    }
    const { view } = await desk.read('read_booking', ask);
    expect(view.booking.emds).toEqual(['7700001 A for •••']);
    expect(view.booking.special_services[1]).toContain('BORN ••• or file •••, window');
    const concise = await desk.read('read_booking', { locator: 'ABC123' });
    expect(concise.view.warnings).toBeUndefined();
  });

  test('shows them as before where no operation used the page', async () => {
    const desk = await openDesk({ bookings: [ticketed(MORE)] });
    await entered(desk, { facts: { route: 'MED-JED' } });
    await desk.state.operations.insert(
      newOperation('elsewhere', { tenant: 'other', locator: 'XYZ789', facts: { details: 'page' } }),
      { now: 1, owner: 'p', leaseUntil: 2 },
    );
    const { view } = await desk.read('read_booking', ask);
    const [{ document, birth_date }] = view.booking.passengers;
    expect([document.number, document.expires, birth_date]).toEqual(['K7654987', '2031-01-01', '1990-04-12']);
    expect(view.booking.special_services[0]).toContain('K7654987');
    expect(view.warnings).toBeUndefined();
  });

  test('knows the new booking of a split, and one by its other references', async () => {
    const split = { tool: 'split_booking', locator: 'OLD111' };
    const made = await deskWith(held(), split, 'succeeded', { newLocator: 'ABC123' });
    expect((await made.read('read_booking', ask)).view.booking.passengers[0].birth_date).toBeUndefined();
    const references = [...held().references, { id: 'hhr-0099', segmentRefs: [] }];
    const other = await deskWith(held({ references }), { locator: 'HHR-0099' });
    expect((await other.read('read_booking', ask)).view.booking.passengers[0].birth_date).toBeUndefined();
  });

  test('knows the booking of a create whose answer was lost by its travellers', async () => {
    const desk = await openDesk({ bookings: [held()] });
    const { keyedDigest } = await import('../../src/approvals/digest.ts');
    const { expectBooking } = await import('../../src/tools/acts/create-booking.ts');
    const digest = (text: string) => keyedDigest(desk.state.digestKey, text);
    const lost = (...people: (typeof AMAL)[]) =>
      ({
        ...{ tool: 'create_booking', locator: undefined, subject: expectBooking(people, digest) },
      }) as never;
    await entered(desk, lost(traveler('1', 'Sara', 'Nasser', { document: undefined })), 'resolved');
    expect((await desk.read('read_booking', ask)).view.booking.passengers[0].birth_date).toBe('1990-04-12');
    const same = await openDesk({ bookings: [held()] });
    await entered(same, lost(AMAL), 'resolved');
    expect((await same.read('read_booking', ask)).view.booking.passengers[0].birth_date).toBeUndefined();
  });
});

describe('terms and warnings', () => {
  const PASSPORT = { type: 'passport', number: 'X9999888', nationality: 'SA', expires: '2027-01-05' };
  const change = { passenger_ref: '1', birth_date: '1990-05-12', document: PASSPORT };

  test('say that a birth date and a document are given, and nothing of those before', async () => {
    for (const tool of ['update_passenger', 'change_names']) {
      const { text } = await (await deskWith(ticketed({ travelers: [AMAL] }))).ask(tool, {
        locator: 'ABC123',
        changes: [change],
      });
      expect(text).not.toMatch(/1990|2027|2031|987|888/);
      expect(text).toContain('birth date: the one given now');
      expect(text).toContain('document: now passport ••• (SA)');
      expect(text).toContain('expires less than 6 months after the last arrival');
    }
  });
});

/** What was entered: the birth date and the document of a traveller. */
const RIGHT = {
  birth_date: AMAL.birthDate as string,
  document: { type: 'passport', number: DOCUMENT.number, nationality: 'SA', expires: DOCUMENT.expires },
};
const WRONG = { birth_date: '1985-02-03', document: { ...RIGHT.document, number: 'Z1112223', expires: '2033-02-02' } };

describe('a call cannot find out what was entered by a guess', () => {
  const changes = (guess: object) => ({ locator: 'ABC123', changes: [{ passenger_ref: '1', ...guess }] });
  const parts = [
    ['a birth date', 'birth_date'],
    ['a document', 'document'],
  ] as const;

  /** Everything that tells two calls apart: the answer, what the airline was asked, and what the state was. */
  async function traces(guess: typeof RIGHT, ask: (desk: Desk, guess: typeof RIGHT) => Promise<string>) {
    const desk = await deskWith(ticketed({ travelers: [AMAL, traveler('2', 'Noor', 'Haddad')] }));
    const asked: string[] = [];
    const { operations } = desk.state;
    for (const name of ['list', 'withEnteredDetails', 'ofTrip', 'insert'] as const) {
      const real = operations[name].bind(operations) as (...args: unknown[]) => unknown;
      Object.assign(operations, {
        [name]: (...args: unknown[]) => {
          asked.push(name);
          return real(...args);
        },
      });
    }
    const answer = await ask(desk, guess);
    const said = [guess.birth_date, guess.document.number, guess.document.expires].reduce(
      (text, given) => text.replaceAll(given, 'GIVEN'),
      answer,
    );
    const ids = /\b(?:ap_[\w-]+|[\da-f]{8}-[\da-f-]{27})\b/g;
    return { said: said.replace(ids, 'ID'), asked, airline: desk.asked.map(([method]) => method) };
  }

  test.each(
    ['update_passenger', 'change_names'].flatMap((tool) => parts.map(([what, part]) => [tool, what, part] as const)),
  )('%s asks a person for %s that is right as for a wrong one', async (tool, _what, part) => {
    const ask = async (desk: Desk, guess: typeof RIGHT) =>
      (await desk.ask(tool, changes({ [part]: guess[part] }))).text;
    const right = await traces(RIGHT, ask);
    expect(right.said).toContain('Amal Haddad');
    expect(right).toEqual(await traces(WRONG, ask));
  });

  test('another passenger may be given a number whether or not somebody on the booking has it', async () => {
    const ask = async (desk: Desk, guess: typeof RIGHT) => {
      const args = { locator: 'ABC123', changes: [{ passenger_ref: '2', document: guess.document }] };
      return (await desk.ask('update_passenger', args)).text;
    };
    expect(await traces(RIGHT, ask)).toEqual(await traces(WRONG, ask));
  });

  test('the text of a service is taken as any other', async () => {
    const request = async (desk: Desk, guess: typeof RIGHT) => {
      const service = { code: 'WCHR', text: `seat near ${guess.document.number}` };
      return (await desk.ask('request_service', { locator: 'ABC123', passenger_ref: '1', service })).text;
    };
    expect(await traces(RIGHT, request)).toEqual(await traces(WRONG, request));
  });

  test("a customer's key is taken as any other", async () => {
    const keep = async (desk: Desk, guess: typeof RIGHT) =>
      (await desk.read('update_contact', { locator: 'ABC123', customer: guess.document.number })).text;
    expect(await traces(RIGHT, keep)).toEqual(await traces(WRONG, keep));
  });
});

/** How a refusal of the airline reads whose title is this. */
async function titleShown(
  title: string,
  over: Partial<(typeof AMAL)['document'] & object> = {},
  birthDate = '1991-04-07',
) {
  const document = { docType: '2', number: 'p4402917', expires: '2035-08-30', ...over };
  const booking = ticketed({ travelers: [traveler('1', 'Amal', 'Haddad', { birthDate, document })] });
  const airline = { status: 422, code: '1', title };
  const error = new ClerkError('E_INPUT', 'The airline refused it.', { next: 'Ask the person.', airline });
  const desk = await openDesk({ bookings: [booking], airline: { seatMap: () => Promise.reject(error) } });
  await entered(desk);
  const { structured } = await desk.result('get_seat_map', { locator: 'ABC123' });
  return (structured as { error: { airline: { title: string } } }).error.airline.title;
}

describe('the spellings of what was entered', () => {
  test.each([
    ...['P4402917', 'p4402917', 'P 440 29 17', 'P-4402917', 'P4402917<8SAU'],
    ...['1991-04-07', '1991-04-07T00:00:00', '07APR1991', '07apr91', '2035-08-30', '30AUG35'],
  ])('are all blanked: %s', async (written) => {
    const text = await titleShown(`Traveller 1: value "${written}" is refused`);
    expect(text).toMatch(/^Traveller 1: value "[^\p{N}]*•••/u);
    expect(text.endsWith('" is refused')).toBe(true);
  });

  test('are blanked each, and all else stays as it is', async () => {
    expect(await titleShown('P4402917 born 07APR1991, and P4402917')).toBe('••• born •••, and •••');
    const other = 'Booking ABC123 of 7 April, 3 segments, SAR 1,725.00, reference 5f2c-91-04, ends 2035-08-31';
    expect(await titleShown(other)).toBe(other);
    expect(await titleShown('P4402917', { number: undefined, expires: 'unknown' }, 'soon')).toBe('P4402917');
  });

  test('of a short number are blanked only as words of their own, and only if it has letters', async () => {
    expect(await titleShown('document A12, room A123, 1A12 and B-A12', { number: 'A12' })).toBe(
      'document •••, room A123, 1A12 and B-•••',
    );
    expect(await titleShown('SAR 1725 and 7', { number: '1725' })).toBe('SAR 1725 and 7');
  });
});

describe('the words of the airline', () => {
  const title = 'Traveller k 7654 987, born 12APR1990, document ends 2031-01-01';
  const fault = { status: 422, code: 'K7654987', title, correlationId: 'c-12APR90' };
  const refused = async () => {
    throw new ClerkError('E_INPUT', 'The airline refused it.', { next: 'Ask the person.', airline: fault });
  };
  const words = {
    status: 422,
    code: '•••',
    title: 'Traveller •••, born •••, document ends •••',
    correlation_id: 'c-•••',
  };

  test('repeat nothing that was entered: a read, an act, and what the journal keeps of it', async () => {
    const airline = { seatMap: refused, modify: refused };
    const desk = await openDesk({ bookings: [ticketed({ travelers: [AMAL] })], airline });
    await entered(desk);
    const read = await desk.result('get_seat_map', { locator: 'ABC123' });
    expect(read.structured).toMatchObject({ error: { airline: words } });
    expect(read.text).not.toMatch(SECRETS);
    const args = { locator: 'ABC123', changes: [{ passenger_ref: '1', email: 'new@example.com' }] };
    await expect(desk.say('update_passenger', args)).rejects.toThrow('Traveller •••, born •••');
    const [operation] = (await desk.operations()).filter(({ tool }) => tool === 'update_passenger');
    expect(operation).toMatchObject({ state: 'refused', facts: { details: 'page' } });
    // Random ids, digests and times may have the same digits.
    const shown = JSON.stringify(operation).replace(/\b(?:\d{13}|[\w-]{20,})\b/g, '');
    expect(shown).toContain('"code":"•••"');
    expect(shown).not.toMatch(SECRETS);
  });

  test('repeat no document and no birth date of a booking whose details came in arguments either', async () => {
    const desk = await openDesk({ bookings: [ticketed({ travelers: [AMAL] })], airline: { seatMap: refused } });
    const { structured } = await desk.result('get_seat_map', { locator: 'ABC123' });
    expect(structured).toMatchObject({ error: { airline: words } });
  });
});

test('a plan that would keep what they entered is left to create_booking', async () => {
  const desk = await deskWith(ticketed({ travelers: [AMAL] }));
  const move = {
    tool: 'move_party',
    arguments: { locator: 'ABC123', offer_ids: ['o000001'], payment: { type: 'cash' } },
  };
  const { structured } = await desk.result('propose_plan', { steps: [move] });
  expect(JSON.stringify(structured)).toContain('a plan keeps none of them');
  expect(JSON.stringify(structured)).not.toMatch(SECRETS);
});
