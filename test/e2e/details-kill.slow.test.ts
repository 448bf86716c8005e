/**
 * Processes that die around the details page: what was entered waits, the hold is made once, and a lost answer is settled without
 * asking for details again. The page on one instance, the call on the other.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { seenWithin } from '../campaigns/support/pace.ts';
import { ledgerOf } from '../campaigns/support/stage.ts';
import type { Fields, McpCaller } from '../support/mcp-http.ts';
import { Heard } from './details/desks.ts';
import { BOOK, enterCard, hold, instances } from './details/instances.ts';

const { cluster, relay, books, fleet } = instances();

const made = async () => (await ledgerOf(books)).filter(({ event }) => event === 'created').length;

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s', (kind) => {
  const database = (name: string) => (kind === 'SQLite' ? undefined : cluster().database(name));
  /** A try that is repeated has a database of its own. */
  const fresh = (name: string) => `${name}_${randomUUID().slice(0, 8)}`;

  test('what was entered outlives the process, and the hold is made once', async () => {
    const { members, callers, folders } = await fleet(kind === 'SQLite' ? 1 : 2, await database(fresh('waits')));
    const [first] = callers;
    // The page is the first instance's; the calls come to the last one.
    const caller = callers.at(-1) as McpCaller;
    const args = await hold(caller, kind === 'SQLite' ? 41 : 43);
    const before = await made();
    const { id, url } = (await caller.call('create_booking', { ...args, details: 'page' })).structured.details;
    await enterCard(url, 1, 0);
    for (const member of members) await member.kill();
    for (const member of members) await member.restart();
    const half = await caller.call('create_booking', { ...args, details: 'page' });
    expect(half.structured).toMatchObject({ status: 'details_required', details: { complete: 0 } });
    await enterCard(url, 2, 1);
    for (const member of members) await member.kill();
    for (const member of members) await member.restart();
    const heard = new Heard();
    for (const folder of folders) heard.folder('file', folder);
    expect(heard.leaks).toEqual([]);
    let done = await caller.call('create_booking', { ...args, details: id });
    const isLate = done.structured.status === 'pending';
    // A busy machine may answer later than one call waits.
    while (done.structured.status === 'pending') done = await caller.call('create_booking', { ...args, details: id });
    expect(done.structured, done.text).toMatchObject({ booking: { passengers: [{}, {}] } });
    expect(['done', 'already_done']).toContain(done.structured.status);
    const repeats: Fields[] = [];
    for (const again of [first, caller])
      repeats.push((await again?.call('create_booking', { ...args, details: id }))?.structured ?? {});
    const { locator } = done.structured.booking;
    expect(repeats.map(({ booking }) => booking?.locator)).toEqual([locator, locator]);
    // After a call that had no answer in time, another instance may bring the news a second time.
    const known = repeats.slice(isLate ? 1 : 0);
    expect(known.map(({ status }) => status)).toEqual(known.map(() => 'already_done'));
    expect((await made()) - before).toBe(1);
  });

  test('a lost answer is settled as ever, and asks for no details again', async () => {
    const name = fresh('lost');
    const { members, callers, folders } = await fleet(1, await database(name));
    const [member, caller] = [members[0], callers[0] as McpCaller];
    const args = await hold(caller, kind === 'SQLite' ? 45 : 47);
    const { id, url } = (await caller.call('create_booking', { ...args, details: 'page' })).structured.details;
    await enterCard(url, 1, 2);
    await enterCard(url, 2, 3);
    const before = [await made(), relay().times(BOOK)] as const;
    const killed = Promise.withResolvers<void>();
    relay().interfere(async ({ name, forward, socket }) => {
      if (name !== BOOK) return false;
      await forward();
      await member?.kill();
      socket.destroy();
      killed.resolve();
      return true;
    });
    void caller.call('create_booking', { ...args, details: id });
    await killed.promise;
    relay().interfere(undefined);
    await member?.restart();
    // SQLite knows that the process is gone.
    if (kind === 'PostgreSQL') await cluster().lapse(name);
    const told = async () => (await caller.call('create_booking', { ...args, details: id })).structured.status;
    const statuses = new Set<string>();
    await seenWithin(
      40_000,
      500,
      async () => statuses.add(await told()),
      (all) => all.has('needs_person'),
    );
    expect([...statuses].filter((status) => status !== 'pending')).toEqual(['needs_person']);
    expect([(await made()) - before[0], relay().times(BOOK) - before[1]]).toEqual([1, 1]);
    const heard = new Heard();
    for (const folder of folders) heard.folder('file', folder);
    expect(heard.leaks).toEqual([]);
  });
});
