/**
 * Names and documents that travellers enter on a page: the call opens it, waits for it, and goes on with what was entered,
 * which no argument, question or kept approval holds.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { liveSchemas, withoutDetails } from '../../../src/clerk/schemas.ts';
import { ClerkError } from '../../../src/core/errors.ts';
import { hashId } from '../../../src/details/seal.ts';
import { DETAILS_AT, detailsPage, type Entered, enterDetails, newTraveller } from '../../support/details.ts';
import { CONTACT } from '../../support/people.ts';
import { heldBooking, refundableTrip, ticketedBooking } from './bookings.ts';
import {
  accept,
  CALLER,
  codeOf,
  type Desk,
  errorOf,
  failures,
  handleOf,
  openDesk,
  type Result,
  resultOf,
  siblingOf,
} from './desk.ts';

const HALF_AN_HOUR = 30 * 60_000;
/** With what documents have. */
const PAGE_ONLY = ['gender', 'birth_date', 'document', 'nationality', 'expires'];

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk({ approval: 'elicit', detailsPage });
});
afterAll(() => desk.close());
afterEach(() => expect(failures).toEqual([]));

interface Waiting {
  readonly id: string;
  readonly url?: string;
  readonly expires_at: string;
  readonly travellers: number;
  readonly complete: number;
}

function waitingIn({ structured }: Result): Waiting {
  expect(structured.status).toBe('details_required');
  return structured.details as Waiting;
}

const now = () => desk.parts.clock.now();
const enter = (id: string, entered: readonly Entered[]) => enterDetails(desk.parts.state, id, entered, now());

/** A booking to be made for so many adults, whose names come from the page. */
async function trip(adults: number) {
  const { offer_id } = await refundableTrip(desk, adults);
  return { offer_ids: [offer_id], contact: CONTACT, passenger_counts: { adults } };
}

async function pageOf(args: object, tool = 'create_booking'): Promise<Waiting> {
  return waitingIn(await desk.result(tool, { ...args, details: 'page' }));
}

describe('create_booking', () => {
  it('asks on a page, says where it is and until when, waits for it, and books whom it names', async () => {
    const args = await trip(2);
    const first = await desk.result('create_booking', { ...args, details: 'page' });
    const { id, ...page } = waitingIn(first);
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(page).toEqual({
      ...{ url: `${DETAILS_AT}${id}`, travellers: 2, complete: 0 },
      expires_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d(?:Z|\+\d\d:\d\d)$/),
    });
    expect(first.isError).toBe(false);
    expect(first.text).toContain('DETAILS REQUIRED. Nothing was sent. 0 of 2 travellers are complete.');
    expect(first.text).toContain(`Give the person this address: ${DETAILS_AT}${id}`);
    expect(first.text).toContain(`call create_booking with the same arguments and details: "${id}"`);

    const [one, two] = [newTraveller(), newTraveller()];
    await enter(id, [one]);
    const half = await desk.result('create_booking', { ...args, details: id });
    expect(waitingIn(half)).toMatchObject({ id, complete: 1, travellers: 2 });
    expect(half.text).toContain('1 of 2 travellers is complete.');

    await enter(id, [one, two]);
    const made = await desk.result('create_booking', { ...args, details: id });
    expect(made.structured.status, made.text).toBe('done');
    const { locator } = made.structured.booking as { locator: string };
    const { travelers } = (await desk.parts.airline.read(locator)).reading;
    expect(travelers.map(({ name, document }) => [name?.surname, document?.number])).toEqual(
      [one, two].map(({ surname, document }) => [surname, document?.number]),
    );
  });

  it('takes passengers as far as they are known, and says whose name was entered otherwise', async () => {
    const { offer_ids, contact } = await trip(2);
    const passengers = [
      { type: 'ADT', given_name: 'Layla', surname: 'Haddad', email: 'layla@example.com' },
      { type: 'ADT' },
    ];
    const args = { offer_ids, contact, passengers };
    const { id } = await pageOf(args);
    const [one, two] = [newTraveller({ given_name: 'Laila' }), newTraveller()];
    await enter(id, [one, two]);
    const made = await desk.result('create_booking', { ...args, details: id });
    expect(made.structured.warnings).toContainEqual(
      `A traveller entered the name “Laila ${one.surname}”, and the call says “Layla Haddad”: what was entered counts.`,
    );
    const { travelers } = await desk.parts.airline.read((made.structured.booking as { locator: string }).locator);
    expect(travelers[0]?.emails).toEqual(['layla@example.com']);
  });

  it('says who is which traveller, where it is not plain', async () => {
    const { offer_ids, contact, passenger_counts } = await trip(2);
    const next = async (args: object, tool?: string) =>
      (await desk.result(tool ?? 'create_booking', { ...args, details: 'page' })).text;
    const [ADT, order] = [{ type: 'ADT' }, 'Travellers are in the order of passengers.'];
    const named = { ...ADT, given_name: 'Layla', surname: 'Haddad' };
    expect(await next({ offer_ids, contact, passengers: [ADT, named] })).toContain(
      `never ask for them here. ${order} Then call`,
    );
    for (const plain of [{ passenger_counts }, { passengers: [ADT, ADT] }])
      expect(await next({ offer_ids, contact, ...plain })).toContain('never ask for them here. Then call');
    const one = await trip(1);
    expect(await next({ ...one, passenger_counts: undefined, passengers: [named] })).toContain(
      '0 of 1 traveller is complete.',
    );
    const locator = await heldBooking(desk);
    const changes = (...refs: string[]) => ({ locator, changes: refs.map((passenger_ref) => ({ passenger_ref })) });
    const here = (words: string) => expect.stringContaining(`never ask for them here. ${words}Then call`);
    for (const tool of ['change_names', 'update_passenger']) {
      expect(await next(changes('2', '1'), tool)).toEqual(
        here('Traveller 1 is passenger 2, traveller 2 is passenger 1. '),
      );
      expect(await next(changes('1', '2'), tool)).toEqual(here('Traveller 1 is passenger 1, and so on. '));
      expect(await next(changes('2'), tool)).toEqual(here(''));
    }
  });

  it('warns of no name that is the same in other letters', async () => {
    const { offer_ids, contact } = await trip(1);
    const one = newTraveller({ given_name: 'Zoé' });
    const args = {
      offer_ids,
      contact,
      passengers: [{ type: 'ADT', given_name: 'ZOE', surname: one.surname.toUpperCase() }],
    };
    const { id } = await pageOf(args);
    await enter(id, [one]);
    const made = await desk.result('create_booking', { ...args, details: id });
    expect([made.structured.status, JSON.stringify(made.structured.warnings ?? [])]).toEqual([
      'done',
      expect.not.stringContaining('the call says'),
    ]);
  });

  it('finds the page that is open for the same call, and a call that asks for it again goes on once all is entered', async () => {
    const args = await trip(1);
    const { id } = await pageOf(args);
    expect((await pageOf(args)).id).toBe(id);
    expect((await pageOf({ ...args, again_after: undefined })).id).toBe(id);
    await enter(id, [newTraveller()]);
    const made = await desk.result('create_booking', { ...args, details: 'PAGE' });
    expect(made.structured.status).toBe('done');
    // Used: the next one is for somebody else.
    expect((await pageOf(args)).id).not.toBe(id);
  });

  it('keeps pages of other arguments, callers and tools apart', async () => {
    const args = await trip(1);
    const { id } = await pageOf(args);
    const colleague = { caller: { ...CALLER, id: 'colleague' } };
    const theirs = await desk.result('create_booking', { ...args, details: 'page' }, colleague);
    expect(waitingIn(theirs).id).not.toBe(id);
    const other = await pageOf({ ...args, contact: { ...CONTACT, email: 'other@example.com' } });
    expect(other.id).not.toBe(id);
  });

  it('answers a repeat with the same id from the journal: in this process, in another one and after a restart', async () => {
    const args = await trip(1);
    const { id } = await pageOf(args);
    await enter(id, [newTraveller()]);
    const made = await desk.result('create_booking', { ...args, details: id });
    const { locator } = made.structured.booking as { locator: string };
    const sibling = siblingOf(desk);
    const how = { caller: CALLER, canElicit: false, canOpenUrls: false };
    for (const clerk of [desk.clerk, sibling]) {
      const again = resultOf(await clerk.call('create_booking', { ...args, details: id }, how));
      expect(again.structured).toMatchObject({ status: 'already_done', booking: { locator } });
      expect(again.structured.warnings ?? []).not.toContainEqual(expect.stringContaining('under another name'));
    }
    expect(
      desk.sandbox.ledger().filter(({ locator: of, event }) => of === locator && event === 'created'),
    ).toHaveLength(1);
  });

  it('goes on with a page that another process opened', async () => {
    const args = await trip(1);
    const { id } = await pageOf(args);
    await enter(id, [newTraveller()]);
    const made = resultOf(await siblingOf(desk).call('create_booking', { ...args, details: id }, { caller: CALLER }));
    expect(made.structured.status).toBe('done');
  });

  it('answers a call that waited while another one with the same id was faster', async () => {
    const args = await trip(1);
    const { id } = await pageOf(args);
    const { details } = desk.parts.state;
    const open = await details.find(hashId(id), now());
    await enter(id, [newTraveller()]);
    const made = await desk.result('create_booking', { ...args, details: id });
    const { locator } = made.structured.booking as { locator: string };
    let looks = 0;
    const late = siblingOf(desk, {
      open: async () => ({
        ...desk.parts,
        state: {
          ...desk.parts.state,
          details: Object.assign(Object.create(details), {
            // Before anything was entered; then as it is.
            find: async (hash: string, at: number) => (looks++ === 0 ? open : details.find(hash, at)),
          }),
        },
      }),
    });
    const answer = resultOf(await late.call('create_booking', { ...args, details: id }, { caller: CALLER }));
    expect(answer.structured).toMatchObject({ status: 'already_done', booking: { locator } });
  });

  /** A desk whose airline has no seats. */
  function soldOutDesk(retry: 'never' | 'same_call' = 'never') {
    const create = async () => {
      throw new ClerkError('E_SOLD_OUT', 'No seats.', { next: 'Search again.', retry });
    };
    return siblingOf(desk, {
      open: async () => ({ ...desk.parts, airline: { ...desk.parts.airline, create } }),
    });
  }

  it('opens a new page where what was entered was refused: a mistake on it must not stay for half an hour', async () => {
    const call = async (retry: 'never' | 'same_call', given: object) =>
      resultOf(await soldOutDesk(retry).call('create_booking', given, { caller: CALLER }));
    for (const [retry, isNew] of [
      ['never', true],
      ['same_call', false],
    ] as const) {
      const args = await trip(1);
      const { id } = await pageOf(args);
      await enter(id, [newTraveller()]);
      expect(codeOf(await call(retry, { ...args, details: id }))).toBe('E_SOLD_OUT');
      const again = await desk.result('create_booking', { ...args, details: 'page' });
      if (isNew) expect(waitingIn(again).id).not.toBe(id);
      else expect(again.structured.status).toBe('done');
    }
  });

  it('takes the same id again after a refusal, with what was entered', async () => {
    const args = await trip(1);
    const { id } = await pageOf(args);
    await enter(id, [newTraveller()]);
    const refusing = soldOutDesk();
    const failed = resultOf(await refusing.call('create_booking', { ...args, details: id }, { caller: CALLER }));
    expect(codeOf(failed)).toBe('E_SOLD_OUT');
    const made = await desk.result('create_booking', { ...args, details: id });
    expect(made.structured.status, made.text).toBe('done');
  });
});

describe('before anybody types a passport', () => {
  it('refuses what cannot succeed', async () => {
    const args = await trip(1);
    const cases: readonly (readonly [object, string, string])[] = [
      [{ ...args, offer_ids: ['o999999'] }, 'E_OFFER_EXPIRED', 'offer'],
      [{ ...args, passenger_counts: { adults: 2 } }, 'E_INPUT', 'expected the party that the offer was searched for'],
      [{ ...args, passengers: [{ type: 'ADT' }] }, 'E_INPUT', 'exactly one of passengers and passenger_counts'],
      [{ ...args, passenger_counts: undefined }, 'E_INPUT', 'again with passenger_counts: the page asks'],
      [{ ...args, group_name: 'Choir' }, 'E_INPUT', 'group_name: expected only for a group that is named later'],
      [{ ...args, contact: { ...CONTACT, surname: '漢' } }, 'E_INPUT', 'contact.surname'],
      [{ ...args, again_after: 'NEVER1' }, 'E_INPUT', 'again_after'],
      [{ ...args, passenger_counts: { adults: 999_999_999 } }, 'E_INPUT', 'expected 1 to 9 travellers'],
      [{ ...args, passengers: [{ type: 'ADT', with_adult: 1 }], passenger_counts: undefined }, 'E_INPUT', 'with_adult'],
    ];
    for (const [given, code, words] of cases) {
      const refused = await desk.result('create_booking', { ...given, details: 'page' });
      expect([codeOf(refused), refused.text]).toEqual([code, expect.stringContaining(words)]);
    }
    const noBooking = await desk.result('change_names', {
      locator: 'NEVER1',
      changes: [{ passenger_ref: '1' }],
      details: 'page',
    });
    expect(codeOf(noBooking)).toBe('E_NOT_FOUND');
  });

  it('says what to do where travellers cannot reach this server', async () => {
    const args = { ...(await trip(1)), details: 'page' };
    for (const none of [undefined, { address: async () => undefined }]) {
      const clerk = siblingOf(desk, { detailsPage: none } as never);
      const { code, message, next } = errorOf(resultOf(await clerk.call('create_booking', args, { caller: CALLER })));
      expect({ code, message }).toEqual({
        ...{
          code: 'E_CONFIG',
          message: 'This server has no address that travellers can reach. Nothing was asked or sent.',
        },
      });
      expect(next).toBe(
        'Call create_booking without details and with names and documents in the arguments, or the operator sets FARECLERK_PUBLIC_URL, the address of this server for people.',
      );
    }
  });

  it('refuses a hold without details whose passengers lack something, as ever', async () => {
    const { offer_ids, contact } = await trip(1);
    const { message } = errorOf(
      await desk.result('create_booking', { offer_ids, contact, passengers: [{ type: 'ADT' }] }),
    );
    expect(message).toContain(
      'passengers[0].given_name: is required (text). passengers[0].surname: is required (text).',
    );
  });

  it('refuses details in a step of a plan', async () => {
    const locator = await heldBooking(desk);
    const step = { tool: 'change_names', arguments: { locator, changes: [{ passenger_ref: '1' }], details: 'page' } };
    const { message } = errorOf(await desk.result('propose_plan', { steps: [step] }));
    expect(message).toContain('steps[0].arguments.details: a step has no page of its own');
  });
});

describe('an id', () => {
  it('that is unknown, over, foreign, forged or of another tool gets one same answer, which teaches nothing', async () => {
    const args = await trip(1);
    const { id } = await pageOf(args);
    const locator = await heldBooking(desk);
    const forChange = await pageOf({ locator, changes: [{ passenger_ref: '1' }] }, 'change_names');
    const answers = [
      await desk.result('create_booking', { ...args, details: 'x'.repeat(43) }),
      await desk.result('create_booking', { ...args, details: `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}` }),
      await desk.result('create_booking', { ...args, details: forChange.id }),
      await desk.result('create_booking', { ...args, details: id }, { caller: { ...CALLER, id: 'eve' } }),
      await desk.result('create_booking', { ...args, details: id }, { caller: { tenant: 'other', id: CALLER.id } }),
    ];
    desk.advance(HALF_AN_HOUR);
    answers.push(await desk.result('create_booking', { ...args, details: id }));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(errorOf(answers[0] as Result)).toMatchObject({
      code: 'E_INPUT',
      message: 'details: this id does not fit this call, or its time is over. Nothing was sent.',
      next: 'Call create_booking with details: "page" to open a new page. Never make an id up.',
    });
  });

  it('with other arguments says to repeat those of the first call', async () => {
    const args = await trip(1);
    const { id } = await pageOf(args);
    await enter(id, [newTraveller()]);
    const others = { ...args, contact: { ...CONTACT, email: 'other@example.com' }, details: id };
    const { code, message } = errorOf(await desk.result('create_booking', others));
    expect([code, message]).toEqual([
      'E_INPUT',
      'details: the other arguments differ from those of the call that opened the page. Nothing was sent.',
    ]);
    expect((await desk.result('create_booking', { ...args, details: id })).structured.status).toBe('done');
  });
});

describe('changes', () => {
  it('corrects a name and a document of a hold as entered; what is blank stays', async () => {
    const locator = await heldBooking(desk);
    const before = await desk.parts.airline.read(locator);
    const args = { locator, changes: [{ passenger_ref: '1', title: 'MRS' }] };
    const { id, travellers } = await pageOf(args, 'change_names');
    expect(travellers).toBe(1);
    await enter(id, [{ given_name: 'Leila' }]);
    const done = await desk.result('change_names', { ...args, details: id });
    expect(done.structured.status, done.text).toBe('done');
    const after = await desk.parts.airline.read(locator);
    expect(after.travelers[0]?.name?.given).toEqual(['Leila']);
    expect(after.travelers[0]?.name?.surname).toBe(before.travelers[0]?.name?.surname);
    expect(after.reading.travelers[0]?.document).toEqual(before.reading.travelers[0]?.document);
  });

  it('updates passengers as entered, and refuses the page for one without a name', async () => {
    const locator = await heldBooking(desk);
    const args = { locator, changes: [{ passenger_ref: '2' }] };
    const { id } = await pageOf(args, 'update_passenger');
    const document = { type: 'passport', number: 'N8800221', nationality: 'SA', expires: '2039-05-06' } as const;
    await enter(id, [{ document }]);
    const asked = await desk.call('update_passenger', { ...args, details: id }, { canElicit: true });
    if (asked.kind !== 'ask') throw new Error('did not ask');
    expect(asked.detailsId).toBe(id);
    const dialog = { handle: asked.handle, raw: accept(asked.form.properties.decision.enum[1] ?? '') };
    const done = await desk.result('update_passenger', { ...args, details: id }, { canElicit: true, dialog });
    expect(done.structured.status, done.text).toBe('done');
    const number = (await desk.parts.airline.read(locator)).reading.travelers[1]?.document?.number;
    expect(number).toBe('N8800221');
  });
});

describe('details of somebody else', () => {
  test.each<[string, Entered, boolean]>([
    ['another name', { given_name: 'Omar', surname: 'Wazir' }, true],
    ['the name in other letters', {}, false],
    ['another name in part', { given_name: 'Omar' }, true],
  ])('entered for a passenger are said before they are sent: %s', async (_, names, isOther) => {
    const locator = await heldBooking(desk);
    const { travelers } = await desk.parts.airline.read(locator);
    const { name } = travelers[1] ?? {};
    const whole = { given_name: name?.given.join(' ').toLowerCase() ?? '', surname: name?.surname.toUpperCase() ?? '' };
    const args = { locator, changes: [{ passenger_ref: '2' }] };
    const { id } = await pageOf(args, 'update_passenger');
    const { document } = newTraveller();
    await enter(id, [{ ...(Object.keys(names).length === 0 ? whole : names), ...(document && { document }) }]);
    const asked = await desk.call('update_passenger', { ...args, details: id }, { canElicit: true });
    if (asked.kind !== 'ask') throw new Error('did not ask');
    const words = 'was entered for them: ask whose details these are. Names do not change here.';
    expect(asked.message.includes(words)).toBe(isOther);
    const dialog = { handle: asked.handle, raw: accept(asked.form.properties.decision.enum[1] ?? '') };
    const done = await desk.result('update_passenger', { ...args, details: id }, { canElicit: true, dialog });
    expect(done.structured.status, done.text).toBe('done');
    expect(JSON.stringify(done.structured.warnings ?? []).includes(words)).toBe(isOther);
  });
});

describe('a birth date that is not the one in the booking', () => {
  test.each([
    ['change_names', true],
    ['change_names', false],
    ['update_passenger', true],
    ['update_passenger', false],
  ] as const)('is said before and after it is sent, without the date: %s, %s', async (tool, differs) => {
    const locator = await ticketedBooking(desk);
    const { travelers } = (await desk.parts.airline.read(locator)).reading;
    const known = travelers[0]?.birthDate ?? '';
    expect(known).toMatch(/^\d{4}-\d\d-\d\d$/);
    const born = differs ? `${Number(known.slice(0, 4)) - 1}${known.slice(4)}` : known;
    const args = { locator, changes: [{ passenger_ref: '1' }] };
    const { id } = await pageOf(args, tool);
    const { document } = newTraveller();
    await enter(id, [{ birth_date: born, ...(document && { document }) }]);
    const asked = await desk.call(tool, { ...args, details: id }, { canElicit: true });
    if (asked.kind !== 'ask') throw new Error('did not ask');
    const words =
      'Passenger 1: the birth date that was entered is not the one in the booking. If it was not to be corrected, ask whose details these are.';
    expect(asked.message.includes(words)).toBe(differs);
    const dialog = { handle: asked.handle, raw: accept(asked.form.properties.decision.enum[1] ?? '') };
    const done = await desk.result(tool, { ...args, details: id }, { canElicit: true, dialog });
    expect(done.structured.status, done.text).toBe('done');
    expect(((done.structured.warnings ?? []) as string[]).filter((each) => each === words)).toHaveLength(
      differs ? 1 : 0,
    );
    for (const date of [born, known]) {
      expect(asked.message).not.toContain(date);
      expect(JSON.stringify(done.structured) + done.text).not.toContain(date);
    }
  });
});

describe('a yes of a person', () => {
  /** A name of a ticketed booking, entered on the page, and the question about it. */
  async function question() {
    const locator = await ticketedBooking(desk);
    const args = { locator, changes: [{ passenger_ref: '1' }] };
    const { id } = await pageOf(args, 'change_names');
    await enter(id, [{ given_name: 'Leila' }]);
    const clerk = siblingOf(desk, { approval: 'page', canUseTerminal: true });
    const call = async (approvalId?: string) =>
      resultOf(
        await clerk.call(
          'change_names',
          { ...args, details: id, ...(approvalId && { approval_id: approvalId }) },
          { caller: CALLER },
        ),
      );
    const asked = await call();
    expect(asked.structured.status, asked.text).toBe('approval_required');
    return { locator, args, id, clerk, call, asked, operationId: String(asked.structured.operation_id) };
  }

  it('is recorded on the page or in a terminal, and the call that brings the id sends', async () => {
    const { locator, clerk, call, asked, id, operationId } = await question();
    expect(asked.text).toContain(`with the same arguments, details "${id}" and approval_id ${handleOf(asked)}`);
    const decided = await clerk.decide(operationId, true, { assurance: 'page' });
    expect(decided).toMatchObject({ kind: 'pending', title: 'Your approval is recorded' });
    expect(decided.lines.join(' ')).toContain('sent when the assistant calls again');
    expect((await desk.parts.airline.read(locator)).travelers[0]?.name?.given).not.toEqual(['Leila']);
    // Twice is still one yes, and the same words.
    expect(await clerk.decide(operationId, true, { assurance: 'page' })).toEqual(decided);
    const done = await call(handleOf(asked));
    expect(done.structured.status, done.text).toBe('done');
    expect((await desk.parts.airline.read(locator)).travelers[0]?.name?.given).toEqual(['Leila']);
    expect((await call()).structured.status).toBe('already_done');
  });

  it('is bound to what was entered, and holds neither the id nor what was entered', async () => {
    const { id, operationId } = await question();
    const kept = JSON.stringify(await desk.parts.state.approvals.byOperation(operationId));
    expect(kept).toMatch(/"details":"entered:[\w-]{43}"/);
    expect(kept).not.toContain(id);
  });
});

describe('a client that opens addresses', () => {
  it('is given the address, and comes back by its state', async () => {
    const args = { ...(await trip(1)), details: 'page' };
    const asked = await desk.call('create_booking', args, { canOpenUrls: true });
    if (asked.kind !== 'ask_details') throw new Error('did not ask for details');
    expect(asked.url).toBe(`${DETAILS_AT}${asked.detailsId}`);
    expect(asked.message).toContain('the assistant does not see them');
    const id = asked.detailsId;
    const turnedDown = await desk.result('create_booking', args, { details: { id, raw: { action: 'decline' } } });
    expect(waitingIn(turnedDown)).toMatchObject({ id, url: asked.url });
    const opened = await desk.result('create_booking', args, { details: { id, raw: { action: 'accept' } } });
    expect(waitingIn(opened)).toMatchObject({ id, complete: 0 });
    const completed = asked.completed(() => false);
    await enter(id, [newTraveller()]);
    await completed;
    const made = await desk.result('create_booking', args, { details: { id, raw: { action: 'accept' } } });
    expect(made.structured.status).toBe('done');
  });

  it('stops waiting when nobody does, and when the time is over', async () => {
    const args = { ...(await trip(1)), details: 'page' };
    const asked = await desk.call('create_booking', args, { canOpenUrls: true });
    if (asked.kind !== 'ask_details') throw new Error('did not ask for details');
    await asked.completed(() => true);
    const completed = asked.completed(() => false);
    desk.advance(HALF_AN_HOUR);
    await completed;
  });
});

test('a call that waits says how many are complete', async () => {
  const patient = siblingOf(desk, { waitMs: 10_000 });
  const args = await trip(2);
  const { id } = await pageOf(args);
  const said: string[] = [];
  const progress = (_: number, __: number, message: string) => void said.push(message);
  const [one, two] = [newTraveller(), newTraveller()];
  const waiting = patient.call('create_booking', { ...args, details: id }, { caller: CALLER, progress });
  await enter(id, [one]);
  await expect.poll(() => said.at(-1)).toBe('1 of 2 travellers is complete');
  await enter(id, [one, two]);
  expect(resultOf(await waiting).structured.status).toBe('done');
  expect(said.at(-1)).toBe('2 of 2 travellers are complete');
});

describe('FARECLERK_DETAILS=page', () => {
  it('refuses documents in arguments before anything reads them, and a hold that names its passengers', async () => {
    const clerk = siblingOf(desk, { details: 'page' });
    const call = async (tool: string, args: unknown) =>
      errorOf(resultOf(await clerk.call(tool, args, { caller: CALLER })));
    const { offer_ids, contact } = await trip(1);
    const passenger = { type: 'ADT', given_name: 'A', surname: 'B', birth_date: 'CANARY' };
    const named = { offer_ids, contact, passengers: [passenger] };
    for (const args of [
      named,
      JSON.stringify(named),
      { ...named, passengers: JSON.stringify([passenger]) },
      { ...named, details: 'page' },
    ]) {
      const { code, message, next } = await call('create_booking', args);
      expect([code, message]).toEqual([
        'E_INPUT',
        'passengers[0].birth_date: travellers enter their details on a page here, and was not read. Nothing was sent.',
      ]);
      expect(next).toBe('Leave out gender, birth_date, document, and call create_booking again with details: "page".');
    }
    const bare = { ...named, passengers: [{ type: 'ADT', given_name: 'A', surname: 'B' }] };
    expect((await call('create_booking', bare)).message).toContain(
      'passengers: travellers enter their details on a page here',
    );
    const changes = [{ passenger_ref: '1', document: { number: 'CANARY' } }];
    expect((await call('change_names', { locator: 'ABC123', changes })).message).toContain('changes[0].document');
    const step = { tool: 'update_passenger', arguments: { locator: 'ABC123', changes } };
    expect((await call('propose_plan', { steps: [step] })).message).toContain('steps[0].arguments.changes[0].document');
    expect((await call('create_booking', { ...bare, contact: { ...contact, document: {} } })).message).toContain(
      'contact.document',
    );
  });

  it('lists no field that only the page takes, and all others', () => {
    const [all, page] = [liveSchemas(), withoutDetails(liveSchemas())];
    const fieldsIn = (shape: unknown): string[] => {
      const { properties = {}, items } = shape as { properties?: Record<string, unknown>; items?: unknown };
      const below = Object.entries(properties).flatMap(([name, field]) => [name, ...fieldsIn(field)]);
      return items === undefined ? below : [...below, ...fieldsIn(items)];
    };
    for (const tool of desk.clerk.tools) {
      const [before, after] = [fieldsIn(all.input(tool)), fieldsIn(page.input(tool))];
      const hasPage = before.includes('details');
      expect([tool.name, after.filter((name) => PAGE_ONLY.includes(name))]).toEqual([tool.name, []]);
      if (!hasPage) expect(page.input(tool)).toEqual(all.input(tool));
      else expect(after).toEqual(expect.arrayContaining(['details', 'approval_id']));
      expect(page.output(tool)).toBe(page.output(tool));
      expect(page.input(tool)).toBe(page.input(tool));
    }
    const create = desk.clerk.tools.find(({ name }) => name === 'create_booking');
    const passenger = fieldsIn(page.input(create as never));
    expect(passenger).toEqual(expect.arrayContaining(['given_name', 'surname', 'with_adult', 'email', 'phone']));
  });

  it('still holds seats for a group that is named later, and books with the page', async () => {
    const clerk = siblingOf(desk, { details: 'page' });
    const args = await trip(1);
    const held = resultOf(await clerk.call('create_booking', args, { caller: CALLER }));
    expect(held.structured.status, held.text).toBe('done');
    const { id } = waitingIn(
      resultOf(await clerk.call('create_booking', { ...args, details: 'page' }, { caller: CALLER })),
    );
    await enter(id, [newTraveller()]);
    expect(resultOf(await clerk.call('create_booking', { ...args, details: id }, { caller: CALLER })).isError).toBe(
      false,
    );
  });

  it('does not name arguments as the way out where travellers cannot reach it', async () => {
    const clerk = siblingOf(desk, { details: 'page', detailsPage: undefined } as never);
    const args = { ...(await trip(1)), details: 'page' };
    const { next } = errorOf(resultOf(await clerk.call('create_booking', args, { caller: CALLER })));
    expect(next).toBe(
      'Tell the person that the operator sets FARECLERK_PUBLIC_URL, the address of this server for people.',
    );
  });
});
