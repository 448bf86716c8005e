/**
 * Which machines have second records of the journal: a machine that lost them may not tell an older copy from the newest
 * one, so it sends nothing.
 */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newOperation } from './new-operation.ts';
import { offices } from './support/offices.ts';
import type { State } from './support/ports.ts';

let clock = 1_000_000;
const now = () => ++clock;
const { both } = offices(now);
const refused = { code: 'E_NOT_PERMITTED', effect: 'none', message: expect.stringContaining('no second records') };

async function send({ operations }: State, id: string): Promise<void> {
  const at = now();
  await operations.insert(newOperation(id, { locator: id.toUpperCase() }), { now: at, owner: 'p1', leaseUntil: at });
  await operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: at }, { now: at, actor: 'p1' });
}

describe.each(both)('on $name', ({ office: openOffice }) => {
  test('sends nothing from a machine that lost its second records, until a person says that they are lost', async () => {
    const office = openOffice();
    const one = await office.open('one');
    await send(one, 'a');
    await office.copy();
    await send(one, 'b');
    await one.close();
    rmSync(office.records('one'), { recursive: true });
    await office.putBack();
    const again = await office.open('one');
    await again.chain.keepUp();
    await expect(send(again, 'c')).rejects.toMatchObject(refused);
    expect((await again.chain.status()).hold?.seen).toBeUndefined();
    const hold = await again.chain.holdAll();
    expect(await again.chain.holdAll()).toEqual(hold);
    expect(await again.chain.release(0, 'os:ann', now(), true)).toEqual({ kind: 'released' });
    await send(again, 'd');
    const other = await office.open('other');
    await other.chain.keepUp();
    await again.chain.keepUp();
    await send(other, 'e');
    expect(await again.operations.verify()).toBeUndefined();
  });

  test('lets a new machine send once each machine that sent before confirms that its records fit', async () => {
    const office = openOffice();
    const [one, two] = [await office.open('one'), await office.open('two')];
    for (const state of [one, two]) await state.chain.keepUp();
    await send(one, 'a');
    await send(two, 'b');
    const three = await office.open('three');
    await expect(send(three, 'c')).rejects.toMatchObject(refused);
    await one.chain.keepUp();
    await three.chain.keepUp();
    await expect(send(three, 'd')).rejects.toMatchObject(refused);
    await two.chain.keepUp();
    await send(three, 'e');
    expect((await three.chain.status()).hold).toBeUndefined();
  });

  test('asks again after five minutes, because an old confirmation does not cover what was lost since', async () => {
    const office = openOffice();
    const one = await office.open('one');
    await send(one, 'a');
    const two = await office.open('two');
    await two.chain.keepUp();
    await one.chain.keepUp();
    clock += 5 * 60_000;
    await expect(send(two, 'b')).rejects.toMatchObject(refused);
    await one.chain.keepUp();
    await send(two, 'c');
  });

  test('detects with the records of one machine that what another machine sent is lost', async () => {
    const office = openOffice();
    const [one, two] = [await office.open('one'), await office.open('two')];
    for (const state of [one, two]) await state.chain.keepUp();
    await send(one, 'a');
    await office.copy();
    await send(two, 'b');
    for (const state of [one, two]) await state.chain.keepUp();
    for (const state of [one, two]) await state.close();
    await office.putBack();
    const first = await office.open('one');
    expect((await first.chain.status()).hold?.seen?.n).toBeGreaterThan(2);
    const { links } = await first.chain.lost();
    expect(await first.chain.release(links, 'os:ann', now())).toEqual({ kind: 'released' });
    // Its own records say what those links were.
    const second = await office.open('two');
    expect((await second.chain.lost()).acts.map(({ sent }) => sent?.id)).toEqual(['b']);
    expect((await second.chain.status()).hold).toBeDefined();
  });
});
