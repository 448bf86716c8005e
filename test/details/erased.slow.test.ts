/** What was entered is erased for good: an older copy of the state, put back, brings none of it back. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashId, newDetailsId, sealCard } from '../../src/details/seal.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { NO_DISK, NO_RECORDS, type Office, offices } from '../store/support/offices.ts';
import type { Details, State } from '../store/support/ports.ts';
import { detailsOf } from './store-suite.ts';

const MINUTE = 60_000;
let clock = Date.parse('2026-03-01T00:00:00Z');
const { both, postgres, cluster } = offices(() => ++clock, { own: true });

const BY = ['os:ann', 3000] as const;
const SURNAME = 'Quastenflosser';

/** An act that is sent, and ends. */
async function act({ operations }: State, id: string): Promise<void> {
  const now = ++clock;
  await operations.insert(newOperation(id, { locator: id.toUpperCase() }), { now, owner: 'p1', leaseUntil: now });
  await operations.transition(
    id,
    { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: now } },
    { now, actor: 'p1' },
  );
  await operations.transition(
    id,
    { from: ['dispatched'], to: 'succeeded', patch: { outcome: { basis: 'reply' } } },
    { now, actor: 'p1' },
  );
}

interface Form extends Details {
  readonly sealed: string;
}

/** Opened, and one of its two cards filled in. */
async function filledIn({ details }: State): Promise<Form> {
  const id = newDetailsId();
  const form = detailsOf(id, ++clock);
  await details.open(form);
  const sealed = sealCard(id, form, 0, { surname: SURNAME });
  expect(await details.submit(form.idHash, 0, sealed, ++clock)).toBe(true);
  return { ...form, sealed };
}

const found = ({ details }: State, { idHash }: Details) => details.find(idHash, ++clock);
const takes = ({ details }: State, { idHash }: Details) => details.submit(idHash, 1, 'sealed', ++clock);
const isHeld = async ({ chain }: State) => (await chain.status()).hold !== undefined;

/** It is nowhere, and nothing can be entered in it or be used of it. */
async function isGone(state: State, form: Details): Promise<boolean> {
  if ((await found(state, form)) !== undefined || (await takes(state, form))) return false;
  await state.details.use(form.idHash, 'op', 'digest');
  return (await found(state, form)) === undefined;
}

describe.each(both)('on $name', ({ office: openOffice }) => {
  let office: Office;
  beforeEach(() => {
    office = openOffice();
  });

  test('what was used since comes back with no older copy, before anything can be sent or after', async () => {
    const before = await office.open();
    await act(before, 'a');
    const form = await filledIn(before);
    await office.copy();
    await act(before, 'b');
    await before.details.use(form.idHash, 'b', 'digest');
    expect(await found(before, form)).toMatchObject({ operationId: 'b' });
    await before.close();
    for (const time of ['first', 'second']) {
      await office.putBack();
      const state = await office.open();
      expect([time, await isHeld(state), await isGone(state, form)]).toEqual([time, true, true]);
      // What is opened from now on is of this journal, and stays.
      const fresh = await filledIn(state);
      const { links } = await state.chain.lost();
      expect(await state.chain.release({ at: 0, by: 'os:ann', links }, 3000)).toBe('released');
      expect([await isGone(state, form), await takes(state, fresh)]).toEqual([true, true]);
      expect((await found(state, fresh))?.cards.get(0)).toBe(fresh.sealed);
      await act(state, `c-${time}`);
      expect(await isHeld(state)).toBe(false);
      await state.close();
    }
  });

  test.each([
    ['with second records', 'one'],
    ['on a disk that takes none', NO_DISK],
    ['that keeps none', NO_RECORDS],
  ])('nor with one that is put beneath running processes %s', async (_, machine) => {
    const [one, other] = [await office.open(machine), await office.open(machine)];
    await act(one, 'a');
    const form = await filledIn(other);
    await office.copy();
    await act(one, 'b');
    await one.details.use(form.idHash, 'b', 'digest');
    await other.chain.status();
    await office.putBackBeneath();
    // Whoever looks first: sending looks before each act.
    await expect(act(other, 'c')).rejects.toMatchObject({ code: 'E_NOT_PERMITTED', effect: 'none' });
    for (const state of [one, other]) expect([await isHeld(state), await isGone(state, form)]).toEqual([true, true]);
    const { links } = await one.chain.lost();
    expect(await one.chain.release({ at: 0, by: 'os:ann', links }, 3000)).toBe('released');
    for (const state of [one, other]) expect(await isGone(state, form)).toBe(true);
  });

  test('a hold without a loss erases nothing of a journal that is whole', async () => {
    const state = await office.open();
    await act(state, 'a');
    const form = await filledIn(state);
    await state.chain.pause('the airline asked', ...BY);
    await state.chain.resume(...BY);
    await state.close();
    expect((await found(await office.open(), form))?.cards.get(0)).toBe(form.sealed);
  });

  test('forget erases every open form, whoever is in it, also of a copy that is put back; what was used keeps its operation', async () => {
    const state = await office.open();
    const forms = [await filledIn(state), await filledIn(state)];
    const used = await filledIn(state);
    await state.details.use(used.idHash, 'op', 'digest');
    await office.copy();
    const other = await office.open();
    const person = { name: 'Ann Other' };
    const traces = await state.forgetting.find(person);
    expect(traces).toMatchObject({ locators: [], questions: [], forms: 2 });
    expect(await found(other, forms[0] as Form)).toBeDefined();
    await state.forgetting.erase(person, traces, ++clock);
    for (const form of forms) expect([await takes(other, form), await isGone(other, form)]).toEqual([false, true]);
    expect(await found(other, used)).toMatchObject({ operationId: 'op' });
    expect(await state.forgetting.find(person)).toMatchObject({ forms: 0 });
    for (const one of [state, other]) await one.close();

    await office.putBack();
    const restored = await office.open();
    await restored.forgetting.erase(person, await restored.forgetting.find(person), ++clock);
    for (const form of forms) expect(await isGone(restored, form)).toBe(true);
  });

  test('no file and no row has what was entered, or its id; once it is used, over or forgotten, not the sealed card', async () => {
    const state = await office.open();
    await act(state, 'a');
    const id = newDetailsId();
    const form = detailsOf(id, ++clock, 3);
    const entered = {
      ...({ given_name: 'Wilhelmina', surname: SURNAME, gender: 'Female', birth_date: '1987-03-14' } as const),
      document: { type: 'passport', number: 'P7654321', nationality: 'SA', expires: '2031-01-01' } as const,
    };
    await state.details.open(form);
    const forms = [form, detailsOf(newDetailsId(), ++clock), detailsOf(newDetailsId(), ++clock + MINUTE)] as const;
    for (const one of forms.slice(1)) await state.details.open(one);
    const sealed = forms.map((one) => sealCard(id, { ...one, idHash: form.idHash }, 0, entered));
    const parts = sealed.map((text) => text.slice(20, 60));
    for (const [i, { idHash }] of forms.entries())
      expect(await state.details.submit(idHash, 0, sealed[i] ?? '', ++clock)).toBe(true);
    const kept = async (...texts: readonly string[]) => {
      const all = await office.dump();
      return texts.filter((text) => all.includes(text));
    };
    const secrets = [id, Buffer.from(id, 'base64url').toString('latin1'), SURNAME, 'Wilhelmina', 'P7654321'];
    const none = [...secrets, '1987-03-14', '2031-01-01'];
    const everywhere = await office.disks();
    expect(none.filter((text) => everywhere.includes(text))).toEqual([]);
    expect(everywhere).toContain(hashId(id));
    expect(await kept(hashId(id), ...parts)).toEqual([hashId(id), ...parts]);

    await state.details.use(form.idHash, 'a', 'digest');
    // At once: the process may be killed.
    expect(await kept(...parts)).toEqual(parts.slice(1));
    // As of a process that died before it erased the card of a form that it had used.
    await office.sql(`insert into $.card(id_hash, place, sealed) values ('${form.idHash}', 0, '${parts[0]}')`);
    clock = forms[1].expiresAt;
    await state.clean();
    // The third was opened a minute later.
    await expect.poll(() => kept(...parts)).toEqual(parts.slice(2));
    expect(await kept(form.idHash, forms[1].idHash)).toEqual([]);
    await state.forgetting.erase({ name: 'X Y' }, await state.forgetting.find({ name: 'X Y' }), ++clock);
    await expect.poll(() => kept(...parts)).toEqual([]);
    clock += 60 * MINUTE;
    expect(await kept(...none)).toEqual([]);
  });
});

test('on PostgreSQL nor with the files of the server, put back as they were', async () => {
  const office = postgres();
  const before = await office.open();
  await act(before, 'a');
  const [used, open] = [await filledIn(before), await filledIn(before)];
  await before.close();
  const [{ data_directory: data } = {}] = await cluster().sql('postgres', 'show data_directory');
  const copy = `${data}.copy`;
  await cluster().kill();
  execFileSync('cp', ['-a', String(data), copy]);
  await cluster().start();
  const newer = await office.open();
  await act(newer, 'b');
  await newer.details.use(used.idHash, 'b', 'digest');
  await newer.close();
  await cluster().kill();
  rmSync(String(data), { recursive: true });
  execFileSync('cp', ['-a', copy, String(data)]);
  await cluster().start();
  // As the copy has them: the row is there, until the first process looks at the journal.
  expect(await office.sql('select id_hash from $.details')).toHaveLength(2);
  const state = await office.open();
  expect([await isHeld(state), await isGone(state, used), await isGone(state, open)]).toEqual([true, true, true]);
  await expect(act(state, 'c')).rejects.toMatchObject({ code: 'E_NOT_PERMITTED', effect: 'none' });
});
