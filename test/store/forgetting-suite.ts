/** How any adapter of the state port forgets one person. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { newOperation } from './new-operation.ts';
import type { Approval, OpenState, Person, State } from './support/ports.ts';

const ME = { tenant: 't', id: 'me' };
const YOU = { tenant: 't', id: 'you' };
const NOW = 1_000_000;

export function describeForgetting(name: string, open: OpenState): void {
  describe(`${name}: forgetting a person`, () => {
    let state: State;
    beforeEach(async () => {
      state = await open(() => NOW);
    });
    afterEach(() => state.close());

    const listed = async (caller = ME) =>
      (await state.ledger.find(caller, { limit: 10 })).entries.map(({ locator }) => locator).toSorted();
    const record = (locator: string, contactName: string, caller = ME) =>
      state.ledger.record(caller, { locator, madeHere: true, seenAt: NOW, state: 'held', contactName });
    const asked = (id: string, changes: Partial<Approval> = {}) =>
      state.approvals.put(
        pendingApproval({
          ...{ handleHash: `hash of ${id}`, operationId: id, locator: 'OTHER1' },
          ...{ createdAt: NOW, expiresAt: NOW + 600_000, ...changes },
        }),
      );
    const forget = async (person: Person) => {
      const traces = await state.forgetting.find(person);
      await state.forgetting.erase(person, traces, NOW);
      return traces;
    };

    test('erases a booking by its locator, for all callers, with claims, questions and addresses of tickets', async () => {
      for (const caller of [ME, YOU]) await record('ABC123', 'Jane Doe', caller);
      await record('XYZ789', 'Jane Doe');
      await state.claims.add(ME, ['ABC123', 'XYZ789'], NOW);
      await state.ticketKeys.put('k', { caller: ME, locator: 'ABC123', number: '1', coupon: '1' }, NOW, NOW + 1000);
      await asked('q1', { locator: 'ABC123' });
      const traces = await forget({ locator: 'ABC123' });
      expect(traces).toMatchObject({ locators: ['ABC123'], listed: 2, claims: 1, ticketKeys: 1, questions: ['q1'] });
      expect(await listed()).toEqual(['XYZ789']);
      expect(await listed(YOU)).toEqual([]);
      expect(await state.claims.has(ME, 'ABC123')).toBe(false);
      expect(await state.claims.has(ME, 'XYZ789')).toBe(true);
      expect(await state.ticketKeys.find('k', NOW)).toBeUndefined();
      expect(await forget({ locator: 'ABC123' })).toMatchObject({ listed: 0, questions: [] });
    });

    test('leaves no caller in the events of a booking', async () => {
      const told = { type: 'hold.lapsing', at: NOW, tenant: 't', caller: 'jane@doe.example' } as const;
      await state.outbox.add([
        { ...told, id: 'a', locator: 'ABC123' },
        { ...told, id: 'b', locator: 'XYZ789' },
      ]);
      await forget({ locator: 'ABC123' });
      const events = (await state.outbox.newest(2)).map(({ id, locator, caller }) => [id, locator, caller]);
      expect(events).toEqual([
        ['b', 'XYZ789', 'jane@doe.example'],
        ['a', 'ABC123', undefined],
      ]);
    });

    test('finds a name in any order and spelling, and never a part of its words', async () => {
      await record('AAA111', 'Mrs Jané  DOE');
      await record('BBB222', 'Janet Doering');
      await record('CCC333', 'Jane Smith');
      expect(await forget({ name: 'DOE/JANE' })).toMatchObject({ locators: ['AAA111'] });
      expect(await listed()).toEqual(['BBB222', 'CCC333']);
    });

    test('finds travellers in open questions by name, e-mail address or document', async () => {
      const people = {
        args: { passengers: [{ given_name: 'Jane', surname: 'Doe', document: { number: 'P 12-345' } }] },
      };
      await asked('q1', { carried: people });
      await asked('q2', { carried: { args: { contact: { email: 'Bob@Roe.example' } } }, decision: 'granted' });
      await asked('q3');
      expect(await state.forgetting.find({ name: 'jane doe' })).toMatchObject({ questions: ['q1'] });
      expect(await state.forgetting.find({ document: 'p12345' })).toMatchObject({ questions: ['q1'] });
      expect(await forget({ email: 'bob@roe.example', document: 'P12345' })).toMatchObject({ questions: ['q1', 'q2'] });
      expect(await state.forgetting.find({ name: 'jane doe' })).toMatchObject({ questions: [] });
    });

    test('erases why a step was not carried out, which may name travellers, and ends what it blanks', async () => {
      await asked('q1', { decision: 'void', why: 'It is for “Jane Doe” now, not for “Jon Doe”.' });
      await asked('q2', { decision: 'void', why: 'The train is full.' });
      expect(await forget({ name: 'Jane Doe' })).toMatchObject({ questions: ['q1'] });
      expect(await state.approvals.byOperation('q1')).not.toHaveProperty('why');
      expect(await state.approvals.byOperation('q2')).toHaveProperty('why', 'The train is full.');
      await asked('q3', { locator: 'ABC123', carried: { args: {} } });
      await asked('q4', { locator: 'ABC123', carried: { args: {} }, decision: 'granted' });
      await forget({ locator: 'ABC123' });
      expect(await state.approvals.decide('hash of q3', 'granted', 'page', NOW + 1)).toBe(false);
      expect(await state.approvals.byOperation('q4')).toMatchObject({ decision: 'void', sections: [] });
    });

    test('erases a note that names the person, and the journal stays whole', async () => {
      const close = async (id: string, locator: string, note: string) => {
        await state.operations.insert(newOperation(id, { locator }), { now: NOW, owner: 'p', leaseUntil: NOW });
        const meta = { now: NOW, actor: 'p' };
        await state.operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: NOW }, meta);
        await state.operations.transition(id, ['dispatched'], 'needs_person', {}, meta);
        const outcome = { resolved: { by: 'os:ann', at: NOW, note, noteSalt: `salt of ${id}` } };
        await state.operations.transition(id, ['needs_person'], 'resolved', { outcome }, meta);
      };
      await close('op1', 'AAA111', 'The airline says that Ms Doe, Jane has paid.');
      await close('op2', 'BBB222', 'Paid.');
      expect((await state.operations.get('op1'))?.outcome?.resolved?.note).toContain('Doe, Jane');
      expect(await state.operations.verify()).toBeUndefined();
      expect(await forget({ name: 'Jane Doe' })).toMatchObject({ notes: ['op1'] });
      const erased = (await state.operations.get('op1'))?.outcome?.resolved;
      // Neither the note nor the salt of its digest.
      expect(erased).toEqual({ by: 'os:ann', at: NOW, noteDigest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect((await state.operations.get('op2'))?.outcome?.resolved).toMatchObject({ note: 'Paid.' });
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('leaves a booking alone while an operation on it is open or needs a person', async () => {
      await record('ABC123', 'Jane Doe');
      await record('FREE11', 'Jane Doe');
      await asked('q1', { locator: 'ABC123', decision: 'granted' });
      await state.operations.insert(newOperation('op1'), { now: NOW, owner: 'p', leaseUntil: NOW });
      const traces = await forget({ name: 'Jane Doe' });
      expect(traces).toMatchObject({ locators: ['FREE11'], questions: [], open: [{ id: 'op1' }] });
      expect(await listed()).toEqual(['ABC123']);
      await state.operations.transition('op1', ['intent'], 'not_executed', {}, { now: NOW, actor: 'p' });
      expect(await forget({ name: 'Jane Doe' })).toMatchObject({ locators: ['ABC123'], questions: ['q1'], open: [] });
      expect(await listed()).toEqual([]);
      expect(await state.operations.verify()).toBeUndefined();
    });
  });
}
