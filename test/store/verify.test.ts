/** What `journal verify`, `show` and `export` ask of both stores. */
import { describe, expect, test } from 'vitest';
import { left, paid, TODAY } from './support/new-operation.ts';
import { offices } from './support/offices.ts';
import type { State } from './support/ports.ts';

const DAY = 86_400_000;
const { both } = offices(() => TODAY);

describe.each(both)('on $name', ({ office }) => {
  async function begun() {
    const it = office();
    const state = await it.open();
    await paid(state, 'a', 9);
    await left(state, 'b', 8, { facts: { route: 'MED-JED', adults: 2 } });
    return { ...it, state };
  }
  const check = ({ operations }: State, more: Partial<Parameters<State['operations']['check']>[0]> = {}) =>
    operations.check({ now: TODAY, ...more });

  describe('a check that goes on where the last one ended', () => {
    test('reads everything first, then only what was added', async () => {
      const { state } = await begun();
      const first = await check(state);
      expect(first).toMatchObject({ complete: true, from: { n: 0 }, head: { n: 6 }, completeAt: TODAY });
      await paid(state, 'c', 7);
      const second = await check(state, { now: TODAY + DAY });
      expect(second).toMatchObject({ complete: false, from: first.head, head: { n: 9 }, completeAt: TODAY });
      expect(await check(state, { now: TODAY + DAY })).toMatchObject({ complete: false, from: second.head });
      expect(await check(state, { all: true, now: TODAY + DAY })).toMatchObject({
        complete: true,
        completeAt: TODAY + DAY,
      });
    });

    test.each([
      ['an old event', "update $.event set actor = 'x' where n = 2"],
      ['an operation that did not move', "update $.operation set amount_minor = 1 where id = 'a'"],
    ])('finds a change of %s with all, and at the latest after seven days, and from then on', async (_what, change) => {
      for (const later of [{ all: true }, { now: TODAY + 7 * DAY }, { now: TODAY - DAY }]) {
        const { state, tamper } = await begun();
        await check(state);
        await tamper(change);
        expect((await check(state, { now: TODAY + 6 * DAY })).misfit).toBeUndefined();
        for (const again of [later, {}]) expect((await check(state, again)).misfit).toMatchObject({ operationId: 'a' });
      }
    });

    test.each([
      ['the event where the last check ended', "update $.event set hash = 'x' where n = 6"],
      ['a newer event', "update $.event set actor = 'x' where n = 8"],
      ['an operation that moved since', "update $.operation set state = 'refused' where id = 'b'"],
      ['the head', 'update $.chain set n = 6'],
    ])('finds a change of %s at once', async (_what, change) => {
      const { state, tamper } = await begun();
      await check(state);
      await paid(state, 'c', 7);
      const at = { now: TODAY, actor: 'p1' };
      await state.operations.transition('b', { from: ['needs_person'], to: 'resolved', patch: { outcome: {} } }, at);
      await tamper(change);
      expect((await check(state)).misfit).toBeDefined();
    });

    test('begins at an expected link that is older, and not at one that is not there', async () => {
      const { state, tamper } = await begun();
      const { head } = await check(state);
      await paid(state, 'c', 7);
      await check(state);
      expect(await check(state, { expected: head })).toMatchObject({ complete: false, from: head });
      expect((await check(state, { expected: { n: 5, hash: 'f'.repeat(64) } })).misfit).toBeUndefined();
      await tamper("update $.event set actor = 'x' where n = 8");
      expect((await check(state)).misfit).toBeUndefined();
      expect((await check(state, { expected: head })).misfit).toEqual({ operationId: 'c', seq: 2 });
    });

    test('checks the newest events alone, remembers nothing, and can be stopped', async () => {
      const { state, tamper } = await begun();
      const { operations } = state;
      expect(await operations.checkNewest(6)).toMatchObject({ complete: true, head: { n: 6 } });
      expect(await operations.checkNewest(2)).toMatchObject({ complete: false, from: { n: 4 }, head: { n: 6 } });
      await tamper("update $.event set actor = 'x' where n = 2");
      expect((await operations.checkNewest(2)).misfit).toBeUndefined();
      expect((await check(state)).misfit).toMatchObject({ operationId: 'a' });
      expect((await operations.checkNewest(5)).misfit).toMatchObject({ operationId: 'a', seq: 2 });
      await expect(check(state, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    });
  });

  describe('a journal that was changed from outside', () => {
    test.each([
      ['an event changed', "update $.event set actor = 'other' where n = 3", { operationId: 'a', seq: 3 }],
      ['an event gone', 'delete from $.event where n = 2', { operationId: 'a', seq: 3 }],
      ['the last event gone', 'delete from $.event where n = 6', { operationId: 'b', seq: 3 }],
      ['all events gone', 'delete from $.event', { operationId: '', seq: 1 }],
      ['the head gone', 'delete from $.chain', { operationId: '', seq: 1 }],
      ['the head set back', 'update $.chain set n = 2', { operationId: 'a', seq: 3 }],
      ['an amount changed', "update $.operation set amount_minor = 1 where id = 'b'", { operationId: 'b', seq: 1 }],
      [
        'facts changed',
        `update $.operation set facts = '{"route":"JED-MED","adults":2}' where id = 'b'`,
        { operationId: 'b', seq: 1 },
      ],
      ['facts erased', "update $.operation set facts = null where id = 'b'", { operationId: 'b', seq: 1 }],
      ['facts invented', "update $.operation set facts = '{}' where id = 'a'", { operationId: 'a', seq: 1 }],
      ['an operation gone', "delete from $.operation where id = 'b'", { operationId: 'b', seq: 1 }],
      ['a state changed', "update $.operation set state = 'refused' where id = 'a'", { operationId: 'a', seq: 3 }],
      [
        'an outcome changed',
        `update $.operation set outcome = '{"basis":"read"}' where id = 'a'`,
        { operationId: 'a', seq: 3 },
      ],
    ])('finds %s with verify', async (_what, change, expected) => {
      const { state, tamper } = await begun();
      await tamper(change);
      expect(await state.operations.verify()).toEqual(expected);
    });

    test('takes the digest of a plan for none of facts', async () => {
      const { state, tamper } = await begun();
      await paid(state, 'p', 7, { plan: 'x' });
      expect(await state.operations.verify()).toBeUndefined();
      await tamper(`update $.operation set facts = '"x"', plan = null where id = 'p'`);
      expect(await state.operations.verify()).toEqual({ operationId: 'p', seq: 1 });
    });

    test('finds an operation added with verify, and lets nobody change or delete events', async () => {
      const { state, tamper, sql, renumbered } = await begun();
      for (const change of ["update $.event set to_state = 'refused' where n = 1", 'delete from $.event'])
        await expect(sql(change)).rejects.toThrow('append-only');
      expect(await state.operations.verify()).toBeUndefined();
      await tamper(`create temp table copy as select * from $.operation where id = 'a';
        update copy set id = 'z', locator = 'Z'${renumbered}; insert into $.operation select * from copy`);
      expect(await state.operations.verify()).toEqual({ operationId: 'z', seq: 1 });
    });
  });

  describe('reading a journal in pages', () => {
    test('lists operations oldest first with their last event, each once, while others are entered', async () => {
      const { state } = await begun();
      for (const id of ['d', 'c']) await paid(state, id, 7);
      const [ids, links]: [string[], number[]] = [[], []];
      let after: Parameters<State['operations']['page']>[0]['after'];
      for (;;) {
        const rows = await state.operations.page({ after, limit: 1 });
        if (rows.length === 0) break;
        ids.push(...rows.map(({ operation }) => operation.id));
        links.push(...rows.map(({ last }) => last.n));
        after = rows[0]?.operation;
        if (ids.length === 2) await paid(state, 'e', 1);
      }
      expect(ids).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(links).toEqual([3, 6, 12, 9, 15]);
      const [, , { hash } = {}] = await state.operations.events('a');
      expect((await state.operations.page({ limit: 1 }))[0]?.last.hash).toBe(hash);
      const span = { from: TODAY - 8 * DAY, to: TODAY - 7 * DAY };
      expect((await state.operations.page({ ...span, limit: 9 })).map(({ operation }) => operation.id)).toEqual(['b']);
      expect(await state.operations.count(span)).toBe(1);
    });

    test('finds operations by the beginning of their id', async () => {
      const { state } = await begun();
      for (const id of ['ab1', 'ab2', 'ab3', 'é']) await paid(state, id, 7);
      const found = async (beginning: string) => (await state.operations.beginningWith(beginning)).map(({ id }) => id);
      expect(await found('ab2')).toEqual(['ab2']);
      expect(await found('ab')).toHaveLength(2);
      expect(await found('é')).toEqual(['é']);
      expect(await found('z')).toEqual([]);
    });
  });
});
