/** What any adapter of the state port keeps of the details page. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashId, newDetailsId, openCard, sealCard } from '../../src/details/seal.ts';
import type { Details, OpenState, State } from '../store/support/ports.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-03-01T00:00:00Z');

export function detailsOf(id: string, createdAt: number, cards = 2): Details {
  const segment = { ref: '1', optionRef: '1', flightNumber: '101', from: 'QCA', to: 'XMD' };
  const departs = { departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T10:00:00+03:00' };
  const form = {
    trip: ['Qasr (QCA) → Madinah (XMD), Tue 1 Dec 2026, 08:00'],
    segments: [{ ...segment, ...departs }],
    airline: 'Haramain',
    cards: Array.from({ length: cards }, () => ({ type: 'ADT', asks: 'new' }) as const),
  };
  const call = { tenant: 't', caller: 'ann', tool: 'create_booking', argsDigest: 'digest' };
  return { idHash: hashId(id), ...call, form, createdAt, expiresAt: createdAt + 30 * MINUTE };
}

export function describeDetails(name: string, open: OpenState): void {
  describe(`details on ${name}`, () => suite(open));
}

function suite(open: OpenState): void {
  let now = START;
  let state: State;
  let id: string;
  let details: Details;
  beforeEach(async () => {
    now = START;
    state = await open(() => now);
    id = newDetailsId();
    details = detailsOf(id, now);
    await state.details.open(details);
  });
  afterEach(() => state.close());

  const find = (hash = details.idHash, at = now) => state.details.find(hash, at);
  const submit = (card: number, sealed = `sealed${card}`, at = now) =>
    state.details.submit(details.idHash, card, sealed, at);
  const cards = async () => [...((await find())?.cards ?? [])];

  test('a form is found as it was opened, by the hash of its id alone', async () => {
    expect(await find()).toEqual({ ...details, cards: new Map(), isLost: false });
    expect(await find(id)).toBeUndefined();
    expect(await find(hashId(newDetailsId()))).toBeUndefined();
    const other = newDetailsId();
    await state.details.open({ ...detailsOf(other, now), locator: 'ABC123' });
    expect(await find(hashId(other))).toMatchObject({ locator: 'ABC123' });
    // No second form takes its place.
    await expect(state.details.open({ ...details, caller: 'bob' })).rejects.toThrow();
    expect(await find()).toMatchObject({ caller: 'ann' });
  });

  test('a sealed card comes back whole, in any order, for any number of travellers', async () => {
    const many = newDetailsId();
    const form = detailsOf(many, now, 50);
    await state.details.open(form);
    const order = Array.from({ length: 50 }, (_, i) => (i * 7) % 50);
    for (const card of order) {
      const sealed = sealCard(many, form, card, { surname: `Doe ${card}` });
      expect(await state.details.submit(form.idHash, card, sealed, now)).toBe(true);
    }
    const kept = await find(form.idHash);
    expect([...(kept?.cards.keys() ?? [])]).toEqual(order.toSorted((a, b) => a - b));
    for (const [card, sealed] of kept?.cards ?? [])
      expect(openCard(many, form, card, sealed)).toEqual({ surname: `Doe ${card}` });
    expect(await cards()).toEqual([]);
  });

  test('one submit of a card counts: a second one changes nothing, and of many at once one wins', async () => {
    expect([await submit(1, 'first'), await submit(1, 'second'), await submit(1, 'first')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await cards()).toEqual([[1, 'first']]);
    const won = await Promise.all(Array.from({ length: 12 }, (_, i) => submit(0, `of ${i}`)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await cards()).toEqual([
      [0, `of ${won.indexOf(true)}`],
      [1, 'first'],
    ]);
  });

  test('both cards of one form can be kept at once', async () => {
    expect(await Promise.all([submit(0), submit(1)])).toEqual([true, true]);
    expect(await cards()).toEqual([
      [0, 'sealed0'],
      [1, 'sealed1'],
    ]);
  });

  test('a card that the form does not have changes nothing', async () => {
    for (const card of [2, 10, 1e9, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect([card, await submit(card)]).toEqual([card, false]);
    expect(await cards()).toEqual([]);
    expect(await state.details.submit(hashId('unknown'), 0, 'sealed', now)).toBe(false);
  });

  test('the number of a card is not that of another which begins with the same digit', async () => {
    const form = detailsOf(newDetailsId(), now, 12);
    await state.details.open(form);
    const kept = (card: number) => state.details.submit(form.idHash, card, `of ${card}`, now);
    for (const card of [11, 1, 10, 0]) expect([card, await kept(card)]).toEqual([card, true]);
    for (const card of [11, 1, 10, 0]) expect([card, await kept(card)]).toEqual([card, false]);
  });

  test('a form ends with its half hour: what is late changes nothing, and by a clock that was set back it is over too', async () => {
    await submit(0);
    const end = details.expiresAt;
    expect(await submit(1, 'late', end)).toBe(false);
    expect(await find(details.idHash, end - 1)).toMatchObject({ caller: 'ann' });
    expect(await find(details.idHash, end)).toBeUndefined();
    expect(await submit(1, 'set back', START - MINUTE - 1)).toBe(false);
    expect(await find(details.idHash, START - MINUTE - 1)).toBeUndefined();
    expect(await submit(1, 'in time', end - 1)).toBe(true);
  });

  test('what was used is erased, takes no more cards, and names its operation until it is over', async () => {
    await submit(0);
    await state.details.use(details.idHash, 'op1', 'digest of both');
    const used = { ...details, cards: new Map(), isLost: false, operationId: 'op1', usedDigest: 'digest of both' };
    expect(await find()).toEqual(used);
    expect([await submit(0), await submit(1)]).toEqual([false, false]);
    // One call used it.
    await state.details.use(details.idHash, 'op2', 'another');
    expect(await find()).toMatchObject({ operationId: 'op1', usedDigest: 'digest of both' });
    expect(await find(details.idHash, details.expiresAt)).toBeUndefined();
    await state.details.use(hashId('unknown'), 'op1', 'digest');
  });

  test('a card that is submitted while the form is used is never left in it', async () => {
    for (let i = 0; i < 10; i++) {
      const form = detailsOf(newDetailsId(), now);
      await state.details.open(form);
      await Promise.all([
        state.details.submit(form.idHash, 0, 'sealed', now),
        state.details.use(form.idHash, 'op1', 'digest'),
        state.details.submit(form.idHash, 1, 'sealed', now),
      ]);
      expect(await find(form.idHash)).toMatchObject({ operationId: 'op1', cards: new Map() });
    }
  });

  test('one person can have a hundred forms, from any application, until the first is over', async () => {
    const another = (changes: Partial<Details> = {}) =>
      state.details.open({ ...detailsOf(newDetailsId(), now, 1), ...changes });
    for (let i = 0; i < 100; i++) await another({ caller: i % 2 === 0 ? 'sub:ann' : 'sub:ann:some-ide' });
    now += 10 * MINUTE;
    for (const caller of ['sub:ann', 'sub:ann:other-ide'])
      await expect(another({ caller })).rejects.toMatchObject({
        code: 'E_LIMIT',
        retry: 'after_s:1200',
        effect: 'none',
      });
    for (const other of [{ caller: 'sub:anna' }, { tenant: 'u' }]) await another(other);
    now += 20 * MINUTE;
    await another({ caller: 'sub:ann' });
  });

  test('cleaning removes forms that are over, with their cards, and no others', async () => {
    const late = detailsOf(newDetailsId(), now + MINUTE);
    await state.details.open(late);
    for (const { idHash } of [details, late]) await state.details.submit(idHash, 0, 'sealed', now + MINUTE);
    now = details.expiresAt;
    await state.clean();
    // Were it only hidden, an earlier time would show it.
    expect(await find(details.idHash, START)).toBeUndefined();
    expect(await find(late.idHash)).toMatchObject({ cards: new Map([[0, 'sealed']]) });
  });
}
