/**
 * The same trip for the same travellers is booked once, unless a person approved another; also in another fare or price.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import { namesakesOf } from '../../src/approvals/same-trip.ts';
import { HOUR_MS } from '../../src/core/times.ts';
import { personSigns } from '../../src/domain/booking/same-people.ts';
import { keptReading } from '../../src/domain/facts/kept-reading.ts';
import type { Traveler } from '../../src/domain/people/traveler.ts';
import { error, option, ticket } from '../journal/harness.ts';
import { pricing } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { asks, create, enterEarlier, held, MADE, OTHER, openCreates } from './creates.ts';
import {
  ANN,
  accept,
  type Booking,
  booking,
  type CallHarness,
  type Operation,
  refusal,
  SAR,
  statusOf,
  textOf,
} from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await openCreates();
});

const earlier = (...of: Parameters<typeof enterEarlier> extends [unknown, ...infer R] ? R : never) =>
  enterEarlier(desk, ...of);
const other = { subject: create(OTHER).subject };
const dispatched = () => ({ dispatchedAt: desk.clock.now() });
const GONE = error('E_NOT_FOUND', { noSuchBooking: true });
const PRICED = pricing(17250);
/** A reading shows it now. */
const wasRead = async () => {
  const asker = { tenant: ANN.tenant, locator: 'MADE01', caller: ANN.id };
  const readAt = desk.clock.now();
  await desk.state.watches.keep({ ...asker, readAt, kept: keptReading(booking({}), readAt, String) }, undefined);
};
const isAsked = async () => (await desk.call(asks)).kind === 'ask';

describe('an earlier create', () => {
  test('is shown if it is still held, the newest of several, and nothing is sent', async () => {
    await earlier('succeeded', {}, MADE);
    const again = await desk.call(asks);
    expect(again).toMatchObject({ structured: { status: 'already_done' }, meta: { operation_id: 'first' } });
    expect(again).not.toHaveProperty('structured.approval');
    desk.clock.jump(1);
    await earlier('succeeded', { id: 'second' }, MADE);
    expect(await desk.call(asks)).toMatchObject({ meta: { operation_id: 'second' } });
    // Only what is newer than the one that a person wants another of counts.
    desk.terms = create(undefined, { supersedes: 'first' });
    expect(await desk.call(asks)).toMatchObject({ meta: { operation_id: 'second' } });
    desk.terms = create(undefined, { supersedes: 'second' });
    expect(await isAsked()).toBe(true);
    expect(desk.sends).toBe(0);
  });

  test('is followed while it is open, and reported as new once it is done', async () => {
    await earlier('dispatched', {}, dispatched());
    const pending = await desk.during(2_000, desk.call(asks));
    expect(statusOf(pending)).toBe('pending');
    expect(textOf(pending)).toContain('with the same arguments, then once a minute. Nothing is sent twice');
    expect(textOf(pending)).toMatch(/\nOperation first\.\nNext: /);
    expect(pending).not.toHaveProperty('structured.booking');
    const following = desk.call(asks);
    await desk.clock.pass(100);
    await desk.move('dispatched', 'succeeded', MADE, 'first');
    expect(statusOf(await desk.during(1_000, following))).toBe('done');
  });

  const LIMIT = { ...ticket('', []), segmentRefs: [], travelerRefs: [], timeLimit: '1970-01-01T00:00:00Z' };
  test.each<[string, Operation['state'], object, CallHarness['shown']]>([
    ['was refused', 'refused', {}, held()],
    ['was not carried out', 'not_executed', {}, held()],
    ['is cancelled', 'succeeded', MADE, held({ cancelled: true })],
    ['is expired', 'succeeded', MADE, held({ orders: [], tickets: [LIMIT] })],
    ['is not known to the airline', 'succeeded', MADE, () => Promise.reject(GONE)],
  ])('is followed by a new one if it %s', async (_, state, patch, shown) => {
    await earlier(state, {}, patch);
    desk.clock.jump(HOUR_MS);
    await wasRead();
    desk.shown = shown;
    expect(await isAsked()).toBe(true);
  });

  test('may exist though the airline knows no such booking, for an hour and until a reading showed it, unless it was released here', async () => {
    await earlier('succeeded', {}, MADE);
    desk.shown = () => Promise.reject(GONE);
    desk.clock.jump(HOUR_MS - 1);
    await wasRead();
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await desk.operation('released', 'succeeded', { locator: 'MADE01', tool: 'cancel_booking' });
    expect(await isAsked()).toBe(true);
  });

  test('may exist for longer than an hour if no reading ever showed it', async () => {
    await earlier('succeeded', {}, MADE);
    desk.shown = () => Promise.reject(GONE);
    desk.clock.jump(HOUR_MS);
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await wasRead();
    expect(await isAsked()).toBe(true);
  });

  test('counts as held without a locator, and is followed by a new one only if it was surely released', async () => {
    await earlier('succeeded', { fingerprint: 'other trip' });
    desk.terms = create(undefined, { fingerprint: 'other trip' });
    const unplaced = await desk.call(asks);
    expect(unplaced).toMatchObject({
      text: expect.stringMatching(/^Already done before, so nothing was sent now\.\nPaid\./),
    });
    expect(unplaced).not.toHaveProperty('structured.booking');
    desk.terms = create();
    await earlier('succeeded', { id: 'placed' }, MADE);
    desk.shown = () => Promise.reject(error('E_NOT_FOUND'));
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    expect(await refusal(desk.call(asks))).toMatchObject({ code: 'E_AIRLINE_DOWN' });
    desk.shown = booking({ options: [] });
    await desk.operation('paid', 'succeeded', { locator: 'MADE01', tool: 'pay_booking' });
    await desk.operation('elsewhere', 'succeeded', { locator: 'MADE02', tool: 'cancel_booking' });
    await desk.operation('failed', 'refused', { locator: 'MADE01', tool: 'cancel_booking' });
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await desk.operation('released', 'succeeded', { locator: 'MADE01', tool: 'cancel_booking' });
    expect(await isAsked()).toBe(true);
  });

  test('of another caller is revealed only to exist', async () => {
    await earlier('succeeded', { caller: 'bob' }, MADE);
    const foreign = await refusal(desk.call(asks));
    expect(foreign.code).toBe('E_ALREADY_DONE');
    expect(foreign.message).toMatch(/for the same travellers by another user of this desk\. Nothing was sent\.$/);
    expect(JSON.stringify(foreign)).not.toContain('MADE01');
    expect(foreign.next).toMatch(/^Ask at the desk who made it; with its locator/);
  });
});

describe('a create whose offers have gone', () => {
  const gone = () => {
    desk.terms = () => Promise.reject(error('E_OFFER_EXPIRED'));
  };
  const made = async () => {
    desk.terms = create(undefined, { ask: false });
    desk.reply = async () => ({ booking: held({ locator: 'MADE01' }) });
    expect(statusOf(await desk.call(asks))).toBe('done');
    gone();
  };

  test('is the booking that the same call made before', async () => {
    await made();
    const again = await desk.call(asks);
    const operation = (await desk.newest())?.id;
    expect(again).toMatchObject({ structured: { status: 'already_done' }, meta: { operation_id: operation } });
    expect(textOf(again)).toMatch(/^Already done before, so nothing was sent now\./);
    expect(desk.sends).toBe(1);
  });

  test('is refused for its offers where another caller, call, tool or month made one, or the airline cancelled it', async () => {
    await made();
    const refusedFor = async (how: object, over = {}) =>
      (await refusal(desk.call({ ...asks, ...how }, undefined, over))).code;
    expect(await refusedFor({ caller: { tenant: 'desk', id: 'bob' } })).toBe('E_OFFER_EXPIRED');
    expect(await refusedFor({}, { args: { offer_ids: ['o2'] } })).toBe('E_OFFER_EXPIRED');
    expect(await refusedFor({}, { tool: 'pay_booking' })).toBe('E_OFFER_EXPIRED');
    desk.shown = held({ cancelled: true });
    expect(await refusedFor({})).toBe('E_OFFER_EXPIRED');
    desk.shown = held();
    desk.clock.jump(30 * 86_400_000 + 1);
    expect(await refusedFor({})).toBe('E_OFFER_EXPIRED');
    expect(desk.sends).toBe(1);
  });

  test('is refused for what else the call lacks, whatever was made before', async () => {
    await made();
    desk.terms = () => Promise.reject(error('E_INPUT'));
    expect((await refusal(desk.call(asks))).code).toBe('E_INPUT');
    desk.terms = () => Promise.reject(new TypeError('a mistake'));
    await expect(desk.call(asks)).rejects.toThrow();
  });
});

describe('a create that was entered during the question of another', () => {
  const yes = async () => {
    const { handle } = await desk.ask();
    return () => desk.answer(handle, accept('Hold'));
  };

  test('is followed if it is open', async () => {
    const answer = await yes();
    await earlier('dispatched', {}, dispatched());
    expect(statusOf(await desk.during(2_000, answer()))).toBe('pending');
    expect(desk.sends).toBe(0);
  });

  test.each<[object, object, string]>([
    [{}, MADE, 'The same booking was made a moment ago (MADE01). Nothing was sent now.'],
    [{}, {}, 'The same booking was made a moment ago. Nothing was sent now.'],
    [
      other,
      MADE,
      'You already hold MADE01 for this trip (101, 102). This offer is another fare or price. Nothing was sent.',
    ],
  ])('is not repeated once it is settled: %j %j', async (over, patch, message) => {
    const answer = await yes();
    await earlier('succeeded', over, patch);
    const told = await refusal(answer());
    expect([told.code, told.message]).toEqual(['E_ALREADY_DONE', message]);
    expect(told.next).toMatch(
      over === other ? /^Ask the person:/ : /^Call create_booking again with the same arguments/,
    );
    expect(desk.sends).toBe(0);
  });
});

describe('an earlier create of another fare or price', () => {
  test.each<[string, Operation['state'], object]>([
    ['is open', 'in_doubt', { dispatchedAt: 1_000_000 }],
    ['has no locator', 'succeeded', {}],
  ])('refuses the other one while it %s', async (_, state, patch) => {
    await earlier(state, other, patch);
    const told = await refusal(desk.call(asks));
    expect(told.message).toMatch(/^The same trip in another fare .* is not known yet\. Nothing was sent\.$/);
    expect(told.next).toBe('Wait and call create_booking again, or pass again_after: "first" to have both.');
  });

  const RELEASE = 'release MADE01 with cancel_booking, which is free,';
  const CANCEL = 'cancel MADE01 with cancel_booking (quote_cancellation says what comes back)';
  test.each<[string, Partial<Booking>, string, string, string]>([
    ['held', {}, 'hold MADE01 for this trip (101, 102)', 'it is paid and then cancelled', RELEASE],
    ['of an unknown state', { orders: [] }, 'have MADE01 for this trip (101, 102)', 'it is cancelled now', CANCEL],
    [
      'partly cancelled',
      { options: [option('1'), option('2', '16')] },
      'have MADE01 for this trip (101)',
      'it is cancelled now',
      CANCEL,
    ],
  ])('is named with price and refund, and what to ask the person: %s', async (_, changes, what, when, end) => {
    await earlier('succeeded', other, MADE);
    desk.shown = held({ pricing: PRICED, ...changes });
    desk.tool = { ...desk.tool, refundWords: () => 'SAR 100.00 comes back.' };
    const told = await refusal(desk.call(asks));
    expect(told.message).toBe(
      `You already ${what} at SAR 172.50. Refund if ${when}: SAR 100.00 comes back. This offer is another fare or price. Nothing was sent.`,
    );
    expect(told.next).toBe(
      `Ask the person: ${end} and call create_booking again, or pass again_after: "first" to have both.`,
    );
  });

  test('is named without what the airline does not show', async () => {
    await earlier('succeeded', other, MADE);
    desk.shown = held({ options: [] });
    expect((await refusal(desk.call(asks))).message).toMatch(/^You already hold MADE01 for this trip\. This offer /);
    desk.shown = () => Promise.reject(error('E_NOT_FOUND'));
    expect((await refusal(desk.call(asks))).message).toMatch(/^You already have MADE01 for this trip\. This offer /);
  });

  test('matters less than one of the same fare, and the newest matters most', async () => {
    await earlier('succeeded', {}, MADE);
    for (const id of ['second', 'third']) {
      desk.clock.jump(1);
      await earlier('succeeded', { ...other, id }, MADE);
    }
    expect(await desk.call(asks)).toMatchObject({ meta: { operation_id: 'first' } });
    desk.terms = create({ segments: [], total: SAR(1) });
    expect((await refusal(desk.call(asks))).next).toContain('"third"');
  });

  test.each<[string, object, ReturnType<typeof create>]>([
    ['an older journal kept no fare', { subject: { kind: 'create' } }, create()],
    ['these terms have none', {}, create(undefined, { subject: { kind: 'create' } })],
    ['these terms are no create', {}, create(undefined, { subject: { kind: 'cancel_booking' } })],
    ['it is no create', { subject: { kind: 'cancel_booking' } }, create()],
  ])('counts as the same where %s', async (_, over, terms) => {
    await earlier('succeeded', over, MADE);
    desk.terms = terms;
    expect(statusOf(await desk.call(asks))).toBe('already_done');
  });
});

describe('an earlier create for somebody of the same name', () => {
  const BIRTH = '1980-01-01';
  const ali = (number: string, birthDate = BIRTH, surname = 'Ali') =>
    traveler('1', 'Mohamed', surname, { birthDate, document: { number, docType: '2' } });
  const FIRST = ali('A44017334');
  const of = (person: Traveler) => ({
    subject: { ...create().subject, people: [personSigns(person, (text) => text)] } as Operation['subject'],
    fingerprint: `${'t'.repeat(43)}.${JSON.stringify(person)}`,
  });
  const asking = (person: Traveler, over: object = {}) => {
    desk.terms = { ...create(), ...of(person), travelers: [person], ...over };
    return desk.call(asks);
  };
  const shown = (person: Traveler) => held({ locator: 'MADE01', travelers: [person] });
  beforeEach(() => {
    desk.shown = shown(FIRST);
  });

  test('is followed by a new one for another birth date, and shown for the same person', async () => {
    await earlier('succeeded', of(FIRST), MADE);
    expect((await asking(ali('B99912345', '1991-02-02'))).kind).toBe('ask');
    expect(statusOf(await asking(FIRST))).toBe('already_done');
  });

  test.each<[string, Operation['state'], object, RegExp, RegExp]>([
    [
      'made',
      'succeeded',
      MADE,
      /^This trip is booked in MADE01 .* another document \(there …34, here …45\)\. /,
      /^Ask/,
    ],
    [
      'open',
      'dispatched',
      { dispatchedAt: 1 },
      /^This trip is being booked .* Its outcome is not known yet\.$/,
      /^Wait/,
    ],
  ])('with another document is for a person to decide: %s', async (_, state, patch, message, next) => {
    await earlier(state, of(FIRST), patch);
    const told = await refusal(asking(ali('B99912345')));
    expect([told.code, told.message, told.next]).toEqual([
      'E_ALREADY_DONE',
      expect.stringMatching(message),
      expect.stringMatching(next),
    ]);
    expect(told.next).toContain('pass again_after: "first"');
    expect(desk.sends).toBe(0);
  });

  test.each<[string, Traveler, string]>([
    ['name', ali('A44017334', BIRTH, 'Aly'), 'under another name (there “Mohamed Ali”, here “Mohamed Aly”). '],
    ['birth date', ali('A44017334', '1991-02-02'), `with another birth date (there ${BIRTH}, here 1991-02-02). `],
  ])('with the same document says which %s differs', async (_, person, difference) => {
    await earlier('succeeded', of(FIRST), MADE);
    const told = await refusal(asking(person));
    expect(told.message).toBe(
      `This trip is booked in MADE01 with the same document, but ${difference}Nothing was sent.`,
    );
    expect(told.next).toMatch(
      /^Ask the person which is right\. To correct MADE01: change_names .* again_after: "first"\.$/,
    );
  });

  test('with the same document says both differences, and no value that the airline does not show', async () => {
    await earlier('succeeded', of(FIRST), MADE);
    const both = await refusal(asking(ali('A44017334', '1991-02-02', 'Aly')));
    expect(both.message).toContain(
      'here “Mohamed Aly”), and with another birth date (there 1980-01-01, here 1991-02-02)',
    );
    desk.shown = shown(traveler('1', 'Sara', 'Noor', { document: {} }));
    expect((await refusal(asking(ali('A44017334', BIRTH, 'Aly')))).message).toContain(
      'but under another name. Nothing',
    );
    expect((await refusal(asking(ali('B99912345')))).message).toContain('with another document. Nothing');
    for (const document of [{}, { number: 'A440*****' }]) {
      desk.shown = shown(traveler('1', 'Mohamed', 'Ali', { birthDate: BIRTH, document }));
      expect((await refusal(asking(ali('B99912345')))).message).toContain('with another document. Nothing');
    }
  });

  test('with the same document and an unknown outcome says so', async () => {
    await earlier('dispatched', of(FIRST), { dispatchedAt: 1 });
    const told = await refusal(asking(ali('A44017334', BIRTH, 'Aly')));
    expect(told.message).toBe(
      'This trip is booked with the same document, but under another name. Nothing was sent. Its outcome is not known yet.',
    );
  });

  const FRIEND = traveler('2', 'Boris', 'Berg', {
    birthDate: BIRTH,
    document: { number: 'C77712345', docType: '2' },
  });
  /** The man of the earlier booking is asked for beside a friend. */
  const inParty = (over: object = {}) => {
    const people = [FIRST, FRIEND].map((person) => personSigns(person, (text) => text));
    const subject = { ...create().subject, people } as Operation['subject'];
    return asking(FIRST, { subject, travelers: [FIRST, FRIEND], ...over });
  };

  test('with the same document in another party names who is booked, and no name to a caller who may not know it', async () => {
    await earlier('succeeded', of(FIRST), MADE);
    const told = await refusal(inParty());
    expect(told.message).toBe(
      'This trip is booked in MADE01 for “Mohamed Ali”, with the same document, in another party. Nothing was sent.',
    );
    expect(told.next).toContain('pass again_after: "first"');

    await earlier('dispatched', { ...of(FIRST), id: 'open', caller: 'bob' }, { dispatchedAt: 1 });
    desk.tool = { ...desk.tool, read: () => Promise.reject(error('E_NOT_FOUND')) };
    const ofAnother = await refusal(inParty());
    expect(ofAnother.message).toMatch(
      /for some of the same travellers by another user of this desk\. Nothing was sent\.$/,
    );
    expect(JSON.stringify(ofAnother)).not.toMatch(/Mohamed|MADE01/);
    expect(desk.sends).toBe(0);
  });

  test('with the same document in another party and an unknown outcome says so', async () => {
    await earlier('dispatched', of(FIRST), { dispatchedAt: 1 });
    const told = await refusal(inParty());
    expect(told.message).toBe(
      'This trip is being booked for “Mohamed Ali”, with the same document. Nothing was sent. Its outcome is not known yet.',
    );
    expect(told.next).toMatch(/^Wait and call create_booking again\. .* again_after: "first"\.$/);
    expect(desk.sends).toBe(0);
  });

  test('with the same document in another party has no name of who was entered on the details page', async () => {
    await earlier('succeeded', { ...of(FIRST), facts: { details: 'page' } as Operation['facts'] }, MADE);
    const told = await refusal(inParty({ sold: { details: 'page' } }));
    expect(told.message).toBe(
      'This trip is booked in MADE01 for a traveller with the same document, in another party. Nothing was sent.',
    );
    expect(desk.sends).toBe(0);
  });

  test('of another caller is revealed only to exist, unless this one may read it', async () => {
    await earlier('succeeded', { ...of(FIRST), caller: 'bob' }, MADE);
    const mayRead = await refusal(asking(ali('B99912345')));
    expect(mayRead.message).toContain('MADE01');
    desk.tool = { ...desk.tool, read: () => Promise.reject(error('E_NOT_FOUND')) };
    await earlier('dispatched', { ...of(ali('C5')), id: 'open', caller: 'bob' }, { dispatchedAt: 1 });
    const [unsure, renamed] = [
      await refusal(asking(ali('B99912345'))),
      await refusal(asking(ali('A44017334', BIRTH, 'Aly'))),
    ];
    expect(unsure.message).toMatch(
      /for a traveller of the same name by another user of this desk\. Nothing was sent\.$/,
    );
    expect(renamed.message).toMatch(/for the same travellers by another user of this desk\. Nothing was sent\.$/);
    expect(JSON.stringify([unsure, renamed])).not.toMatch(/MADE01|…/);
  });

  test('says nothing of a document that was entered on the details page, and compares it with no argument', async () => {
    await earlier('succeeded', { ...of(FIRST), facts: { details: 'page' } as Operation['facts'] }, MADE);
    for (const guess of [FIRST, ali('B99912345', '1991-02-02')])
      expect(statusOf(await asking(guess))).toBe('already_done');
    const entered = await refusal(asking(ali('B99912345'), { sold: { details: 'page' } }));
    expect(entered.message).toMatch(/of the same name with another document\. Nothing was sent\.$/);
  });

  test('of version 0.4.0 is found by its fingerprint, and compared with what the airline shows', async () => {
    await earlier('succeeded', { fingerprint: 'names of 0.4.0' }, MADE);
    const before = { fingerprintBefore: 'names of 0.4.0' };
    expect(statusOf(await asking(FIRST, before))).toBe('already_done');
    expect((await asking(ali('B99912345', '1991-02-02'), before)).kind).toBe('ask');
  });

  test('is named in the result of the other one, and no further than the caller may read it', async () => {
    const second = ali('B99912345', '1991-02-02');
    await earlier('succeeded', { ...of(second), id: 'own' }, { outcome: { locator: 'MADE02' } });
    await earlier('succeeded', of(FIRST), MADE);
    await earlier('dispatched', { ...of(ali('C5', '1999-09-09')), id: 'open' }, { dispatchedAt: 1 });
    await earlier('refused', { ...of(ali('G8', '1996-06-06')), id: 'refused' });
    const warnings = async () => {
      const answer = await asking(second);
      return answer.kind === 'result' ? (answer.structured.warnings ?? []) : answer.kind;
    };
    expect(await warnings()).toEqual([
      'This trip is being booked for another traveller of the same name, too.',
      'Booking MADE01 of this trip is for another “Mohamed Ali”: tell the two apart by the locator.',
    ]);
    await desk.operation(
      'foreign',
      'succeeded',
      { ...of(ali('D6', '1998-08-08')), tool: 'create_booking', caller: 'bob', locator: undefined } as never,
      { outcome: { locator: 'MADE04' } },
    );
    desk.tool = { ...desk.tool, read: () => Promise.reject(error('E_NOT_FOUND')) };
    expect(await warnings()).toContain(
      'Another traveller of the same name is booked on this trip by another user of this desk.',
    );
    // Only what is newer than the booking after which a person approved this one.
    await desk.move('dispatched', 'not_executed', {}, 'open');
    await earlier(
      'succeeded',
      { ...of(second), id: 'third', supersedes: 'foreign' },
      { outcome: { locator: 'MADE05' } },
    );
    expect(await warnings()).toEqual([]);
  });

  test('is named without its travellers where the airline cannot show them, and not at all where nothing can be read', async () => {
    const second = ali('B99912345', '1991-02-02');
    await earlier('succeeded', { ...of(second), id: 'own' }, {});
    await earlier('succeeded', of(FIRST), MADE);
    const warnings = async () => {
      const answer = await asking(second);
      return answer.kind === 'result' ? (answer.structured.warnings ?? []) : answer.kind;
    };
    desk.shown = () => Promise.reject(error('E_NOT_FOUND'));
    expect(await warnings()).toEqual([
      'Booking MADE01 of this trip is for another traveller of the same name: tell the two apart by the locator.',
    ]);
    const done = await desk.entry('own');
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    const call = { act: desk.bound(), asker: { caller: ANN }, runtime: desk.runtime } as Parameters<
      typeof namesakesOf
    >[0];
    expect(await namesakesOf(call, done)).toEqual([]);
  });
});
