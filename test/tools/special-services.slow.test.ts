/** Special services: the words that people use for them, what is sent, and what is read back. */
import { describe, expect, test } from 'vitest';
import { BACK, type Booking, held, OUT, pricing, ticketed } from '../support/bookings.ts';
import { CONTACT, passenger } from '../support/people.ts';
import { callsOf, type DeskOptions, shelved } from './support/desk.ts';

const AIRLINE = { settings: { dialect: 'airline' }, offers: [shelved({})] } as const;
const AMAL = passenger('P1000001', { given_name: 'Amal' });
const create = callsOf('create_booking', { offer_ids: ['o000001'], contact: CONTACT });
const asking = (...services: object[]) => ({ passengers: [{ ...AMAL, services }] });

/** The airline makes what it was sent, and shows these services. */
const making = (services: Booking['services'] = []): DeskOptions => ({
  ...AIRLINE,
  airline: { create: async ({ options, travelers }) => held({ options, travelers, services }) },
});
const made = (services: object[], shown: Booking['services'] = []) =>
  create.done(undefined, asking(...services), making(shown));
const refusedFor = async (...services: object[]) => {
  const { message } = await create.refused(undefined, asking(...services), AIRLINE);
  return message;
};
const line = (code: string, status: string | undefined, over: object = {}) => ({
  ...{ code, status, quantity: 1, travelerRefs: ['1'], segmentRefs: ['1'] },
  ...over,
});

describe('a code', () => {
  test.each([
    ['WCHC', 'WCHC'],
    [' vgml ', 'VGML'],
  ])('%j is %s', async (given, code) => {
    const { sent } = await made([{ code: given, text: 'until the gate' }]);
    expect(sent.services).toEqual(new Map([['1', [{ code, text: 'until the gate' }]]]));
  });

  test.each([
    ['a wheelchair', ['WCHC', 'WCHR', 'WCHS', 'ask the person which']],
    ['wheelchair to the seat', ['WCHC', 'ask the person which']],
    ['Kosher', ['KSML']],
    ['vegetarian', ['AVML', 'VGML', 'VLML']],
    ['halal meal', ['such as MOML']],
    ['low-salt meal', ['such as LSML']],
  ])('is asked for where words were given: %j', async (words, named) => {
    const message = await refusedFor({ code: words });
    for (const each of named) expect(message).toContain(each);
  });

  test.each([
    ['FOID', 'documents'],
    ['docs', 'documents'],
    ['DOCA', 'documents'],
    ['DOCO', 'documents'],
    ['CTCM', 'contact details'],
    ['INFT', 'passengers of their own type'],
    ['NSSW', 'assign_seats'],
    ['XBAG', 'sell'],
    ['petc', 'sell'],
    ['ZZZZ', 'expected the code of one service that costs nothing, such as WCHR'],
    ['constructor', 'expected the code of one service that costs nothing, such as WCHR'],
  ])('%j is refused in words', async (words, said) => {
    expect(await refusedFor({ code: words })).toContain(said);
  });

  test.each(['DOCS', 'foid', 'DOCO', 'DOCA', 'PSPT', 'CTCE', 'CTCM', 'CTCR'])(
    '%s identifies a person: it is refused by its code, and its text is not repeated',
    async (code) => {
      const message = await refusedFor({ code, text: 'Passport K7654321' });
      expect(message).toContain('documents, contact details and cards are no special service');
      expect(message).not.toContain('K7654321');
    },
  );
});

describe('create_booking', () => {
  test('takes services in the airline dialect only, each once, without documents in their text', async () => {
    const rail = await create.refused(undefined, asking({ code: 'WCHC' }), {
      ...AIRLINE,
      settings: { dialect: 'rail' },
    });
    expect(rail.message).toContain('takes no special services with a booking');
    expect(await refusedFor({ code: 'WCHC' }, { code: 'wchc' })).toContain('each service once');
    for (const text of ['PASSPORT P1000001', 'p 100 00 01', 'BORN 12APR1990']) {
      const message = await refusedFor({ code: 'WCHC', text });
      expect(message).toContain('without document numbers');
      expect(message).not.toMatch(/P1000001|12APR/);
    }
    expect(await refusedFor({ code: 'VGML', text: 'sans arachides è' })).toContain('1 to 70');
  });

  test('books no unaccompanied minor, and says who can', async () => {
    const lina = { ...AMAL, type: 'CHD', given_name: 'Lina', birth_date: '2018-05-01', services: [{ code: 'UMNR' }] };
    const { message, next } = await create.refused(undefined, { passengers: [lina] }, AIRLINE);
    expect(message).toContain(
      'no booking for a child alone can be made here, not even with the service for an unaccompanied minor',
    );
    expect(next).toContain('tell the person to ask the airline itself');
  });

  test('reads back what the airline shows, and says what it has not confirmed', async () => {
    const shown = (services: Booking['services']) => made([{ code: 'WCHC', text: 'no steps' }], services);
    const one = await shown([line('WCHC', 'HK', { text: 'NO STEPS' })]);
    expect(one.view.booking.special_services).toEqual([
      'WCHC wheelchair to the seat, confirmed: NO STEPS (passenger 1; segment 1)',
    ]);
    expect(one.text).toContain('Special services: WCHC wheelchair to the seat, confirmed');
    const said = async (services: Booking['services']) => {
      const { view } = await shown(services);
      const differences = (view.not_as_offered ?? []) as { readonly held: string }[];
      return {
        warnings: ((view.warnings ?? []) as string[]).filter((warning) => warning.startsWith('Special service')),
        differs: differences.flatMap(({ held }) => (held.startsWith('has no confirmed') ? [held] : [])),
      };
    };
    const wheelchair = 'WCHC wheelchair to the seat';
    const warned = (answer: string) => [`Special service for passenger 1: ${wheelchair}: ${answer}.`];
    const differing = (answer: string) => [`has no confirmed ${wheelchair}: ${answer}`];
    const unknown = 'the airline shows a status that is not known';
    expect(await said([line('WCHC', 'HK')])).toEqual({ warnings: [], differs: [] });
    for (const [services, answer] of [
      [[line('WCHC', 'HN')], 'requested; the airline has not confirmed it yet'],
      [[line('WCHC', undefined)], unknown],
    ] as const)
      expect(await said(services)).toEqual({ warnings: warned(answer), differs: [] });
    expect(await said([line('WCHC', 'QQ')])).toEqual({ warnings: warned(unknown), differs: differing(unknown) });
    for (const [services, answer] of [
      [[line('WCHC', 'UN')], 'refused by the airline'],
      [[line('WCHC', 'UN'), line('WCHC', 'HK', { travelerRefs: ['2'] })], 'refused by the airline'],
      [[line('WCHC', 'HX')], 'cancelled'],
      [[line('WCHC', 'HK', { segmentRefs: ['2'] })], 'the airline does not show it'],
      [[line('WCHR', 'HK')], 'the airline does not show it, but WCHR wheelchair to the ramp'],
    ] as const)
      expect(await said(services)).toEqual({ warnings: [], differs: differing(answer) });
    const both = [line('WCHC', 'UN'), line('WCHC', 'HK', { segmentRefs: [] })];
    expect(await said(both)).toEqual({ warnings: [], differs: [] });
  });

  test('keeps no service in the journal', async () => {
    const { operation } = await made([{ code: 'WCHC', text: 'no steps' }], [line('WCHC', 'HK')]);
    expect(JSON.stringify(operation)).not.toMatch(/WCHC|wheelchair|steps/i);
  });
});

const REQUEST = callsOf('request_service', { locator: 'ABC123' });
const wanting = (code: string, over: object = {}) => ({ passenger_ref: '1', service: { code }, ...over });
const two = () => ticketed({ options: [OUT, BACK] });

describe('request_service', () => {
  test('asks with the service, the segments and that no price is named, and its name does not tell which', async () => {
    const asked = await REQUEST.ask(two(), wanting('WCHC', { service: { code: 'WCHC', text: 'no steps' } }));
    expect(asked.text).toContain('Special service for passenger 1: WCHC wheelchair to the seat, “no steps”');
    expect(asked.text).toContain('The request names no price.');
    expect(asked.text).toContain('does not document this request');
    expect(asked.act).toBe('Request a special service on ABC123');
  });

  test.each([
    ['HK', 'confirmed', undefined],
    ['Requested', 'requested', undefined],
    ['UN', 'refused', 'Tell the person to ask the airline what it can do.'],
  ])('reads back what the airline answers: %s is %s', async (status, answer, next) => {
    const services = [line('WCHC', status, { segmentRefs: ['2'] })];
    const { view, sent, operation } = await REQUEST.done(two(), wanting('WCHC', { segment_ref: '2' }), {
      after: { ...two(), services },
    });
    expect(sent).toMatchObject({
      kind: 'request_service',
      service: { code: 'WCHC' },
      travelerRef: '1',
      segmentRefs: ['2'],
    });
    expect(view).toMatchObject({ status: 'done', answer, service: 'WCHC wheelchair to the seat' });
    expect(view.next).toBe(next);
    expect(operation).toMatchObject({
      state: 'succeeded',
      subject: { kind: 'request_service', service: expect.any(String) },
    });
    expect(JSON.stringify(operation)).not.toMatch(/WCHC|wheelchair/i);
  });

  test('asks for the segments that lack it, and again for one that was refused', async () => {
    const services = [line('WCHC', 'HK', { segmentRefs: ['1'] }), line('WCHC', 'NO', { segmentRefs: ['2'] })];
    const after = { ...two(), services: [...services, line('WCHC', 'HK', { segmentRefs: ['2'] })] };
    const { sent, view } = await REQUEST.done({ ...two(), services }, wanting('WCHC'), { after });
    expect(sent.segmentRefs).toEqual(['2']);
    expect(view).toMatchObject({ status: 'done', answer: 'confirmed' });
  });

  test('warns where the price of the booking changed', async () => {
    const after = { ...two(), services: [line('UMNR', 'HK', { segmentRefs: ['1', '2'] })], pricing: pricing(400000) };
    const { view } = await REQUEST.done(two(), wanting('UMNR'), { after });
    expect(view.warnings).toEqual([expect.stringContaining('The price changed')]);
  });

  test('refuses what is there already, unclear, sold, or too late', async () => {
    const has = { ...two(), services: [line('WCHC', 'HN', { segmentRefs: ['1', '2'] })] };
    const why = async (booking: Booking, args: object, options: DeskOptions = {}) =>
      (await REQUEST.refused(booking, args, options)).message;
    expect(await why(has, wanting('WCHC'))).toContain('has this service already');
    expect(await why(two(), wanting('wheelchair'))).toContain('WCHR');
    expect(await why(two(), wanting('XBAG'))).toContain('sell');
    expect(await why(two(), wanting('DOCS'))).toContain('documents');
    expect(await why(two(), wanting('WCHC', { passenger_ref: '9' }))).toContain('passenger_ref');
    expect(await why(two(), wanting('WCHC', { segment_ref: '9' }))).toContain('segment_ref');
    expect(await why({ ...two(), cancelled: true }, wanting('WCHC'))).toContain('cancelled');
    expect(await why(two(), wanting('WCHC'), { now: Date.parse('2027-06-01T00:00:00Z') })).toContain('departed');
  });
});
