/** What `journal verify`, `show` and `export` ask of both stores. */
import { describe, expect, test } from 'vitest';
import { left, paid, TODAY } from './support/new-operation.ts';
import { offices } from './support/offices.ts';

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
      let after: { createdAt: number; id: string } | undefined;
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
