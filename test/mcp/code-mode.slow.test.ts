/**
 * A program, and no model, that calls a tool in a loop (code mode), through real clients: the v1 client and the v2 client of both
 * eras. It meets one question for each booking, none is answered by the yes to another, and it stops at the limits.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  StreamableHTTPClientTransport,
  Client as V2Client,
  InMemoryTransport as V2Memory,
} from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMcpServer } from '../../src/mcp/server.ts';
import { heldBooking } from '../clerk/calls/bookings.ts';
import { accept, CALLER, type Clerk, type Desk, failures, openDesk, PAY, siblingOf } from '../clerk/calls/desk.ts';
import type { Dialog, ToolResult } from '../http/support/clients.ts';
import { serve, TOKEN, UNLIMITED } from '../http/support/serve.ts';
import { atNight } from '../support/whole.ts';

const KINDS = ['v1', 'v2-2025', 'v2-2026'] as const;
type Kind = (typeof KINDS)[number];

const MANY = atNight(20, 8);
/** Calls alike: a quarter of a minute for a thousand, and chaos/one-approval.ts makes four. */
const ALIKE = atNight(200, 60);
const AT_ONCE = ALIKE / 2;
/** What the day has room for. */
const ROOM = atNight(5, 3);

afterEach(() => expect(failures.splice(0)).toEqual([]));

type OnDialog = (dialog: Dialog) => Promise<object> | object;

/** A client of this clerk, whose host answers dialogs by itself or never. */
async function connect(kind: Kind, clerk: Clerk, onDialog: OnDialog) {
  const capabilities = { elicitation: { form: {} } };
  const client = { name: `program ${kind}`, version: '1' };
  if (kind === 'v1') {
    const v1 = new V1Client(client, { capabilities });
    v1.setRequestHandler(ElicitRequestSchema, async ({ params }) => (await onDialog(params as never)) as never);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await createMcpServer(clerk, { version: '0', caller: CALLER }).connect(ours as never);
    await v1.connect(theirs);
    return speaking(v1 as never, () => v1.close());
  }
  const versionNegotiation = kind === 'v2-2026' && { versionNegotiation: { mode: { pin: '2026-07-28' as const } } };
  const v2 = new V2Client(client, { capabilities, ...versionNegotiation });
  v2.setRequestHandler('elicitation/create', async ({ params }) => (await onDialog(params as never)) as never);
  if (kind === 'v2-2025') {
    const [ours, theirs] = V2Memory.createLinkedPair();
    await createMcpServer(clerk, { version: '0', caller: CALLER }).connect(ours as never);
    await v2.connect(theirs);
    return speaking(v2, () => v2.close());
  }
  const limits = { ...UNLIMITED, callsAtOnce: ALIKE };
  const served = await serve({ caller: CALLER, limits }, { clerk, close: async () => undefined });
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await v2.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit }));
  return speaking(v2, async () => {
    await v2.close();
    await served.close();
  });
}

function speaking(client: V2Client, close: () => Promise<void>) {
  const call = async (locator: string, approval_id?: string) => {
    const args = { locator, ...PAY, ...(approval_id !== undefined && { approval_id }) };
    return (await client.callTool({ name: 'pay_booking', arguments: args })) as unknown as ToolResult;
  };
  return { call, close };
}

const actOf = ({ requestedSchema }: Dialog) => requestedSchema.properties.decision.enum[1] ?? '';
const statusOf = ({ structuredContent: told }: ToolResult) => String(told.error?.code ?? told.status);

describe.each(KINDS)('a program behind the %s client', (kind) => {
  let desk: Desk;
  let locators: readonly string[];
  let prices: readonly number[];
  /** Pages that were opened, by operation. */
  const opened = new Set<string>();
  const page = {
    canOpen: () => true,
    open: async ({ operationId }: { readonly operationId: string }) => ({ opened: opened.add(operationId).size > 0 }),
  };
  const paid = () => desk.sandbox.ledger().flatMap(({ event, locator }) => (event === 'paid' ? [locator] : []));
  const priceOf = (some: readonly (string | undefined)[]) =>
    locators.reduce((sum, locator, i) => sum + (some.includes(locator) ? (prices[i] ?? 0) : 0), 0);
  const perDay = (minor: number) => ({ limits: { perDay: { minor, currency: 'SAR' } } });

  beforeAll(async () => {
    desk = await openDesk();
    const held: string[] = [];
    for (let i = 0; i < MANY; i++) held.push(await heldBooking(desk));
    locators = held;
    const read = await Promise.all(held.map((locator) => desk.parts.airline.read(locator)));
    prices = read.map(({ pricing }) => pricing?.total?.total.minor ?? 0);
  });
  afterAll(() => desk.close());

  it('meets one question for each of many bookings where its host accepts what nobody sees, and pays up to the limit after the yes of a person', async () => {
    const mine = locators;
    const room = priceOf(mine.slice(0, ROOM));
    const clerk = siblingOf(desk, { ...perDay(room), dialogFloorMs: 1_500, canUseTerminal: true, page });
    const dialogs: string[] = [];
    const program = await connect(kind, clerk, (dialog) => {
      dialogs.push(dialog.message);
      return accept(actOf(dialog));
    });
    const asked: { readonly locator: string; readonly id: string; readonly operationId: string }[] = [];
    for (const locator of mine) {
      const { structuredContent: told, content } = await program.call(locator);
      expect([told.status, told.booking.locator]).toEqual(['approval_required', locator]);
      asked.push({ locator, id: told.approval.id, operationId: told.operation_id });
      const line = `\`fareclerk approve ${told.operation_id}\``;
      for (const half of [content[0]?.text, `${told.approval.terms.join('\n')}\n${told.next}`])
        expect([half?.includes(line), half?.includes(`booking ${locator}`)]).toEqual([true, true]);
    }
    // After two dialogs that nobody saw the page asks.
    expect([dialogs.length, new Set(asked.map(({ id }) => id)).size, opened.size]).toEqual([2, MANY, MANY]);
    expect((await clerk.waiting()).map(({ locator }) => locator).toSorted()).toEqual(mine.toSorted());

    // No approval fits the booking of another.
    for (const [i, { locator }] of asked.entries())
      expect(statusOf(await program.call(locator, asked[(i + 1) % MANY]?.id))).toBe('E_APPROVAL_INVALID');
    expect(paid()).toEqual([]);

    // The person says yes to all of them; the day has room for a part of them.
    const by = { caller: CALLER, assurance: 'page' } as const;
    const outcomes = [];
    for (const { operationId } of asked) outcomes.push(await clerk.decide(operationId, true, by));
    for (const outcome of outcomes.slice(ROOM)) expect(JSON.stringify(outcome)).toContain("for a caller's day");
    expect(paid().toSorted()).toEqual(mine.slice(0, ROOM).toSorted());
    const ended: string[] = [];
    for (const { locator, id } of asked) ended.push(statusOf(await program.call(locator, id)));
    expect(ended).toEqual([...Array(ROOM).fill('done'), ...Array(MANY - ROOM).fill('E_APPROVAL_EXPIRED')]);
    // Called anew, the first one says why, and nobody is asked.
    const { structuredContent: refused, content } = await program.call(mine[ROOM] ?? '');
    expect(refused.error).toMatchObject({ code: 'E_LIMIT', effect: 'none' });
    for (const half of [content[0]?.text, refused.error.message]) expect(half).toContain("for a caller's day");
    expect([paid().length, (await clerk.waiting()).length, dialogs.length]).toEqual([ROOM, 0, 2]);
    await program.close();
  });

  it('is asked in one dialog for each booking in a rehearsal, where a program may answer, until the limit of the day refuses the next', async () => {
    const before = paid();
    const left = locators.filter((locator) => !before.includes(locator));
    const clerk = siblingOf(desk, { ...perDay(priceOf([...before, ...left.slice(0, ROOM)])), page });
    const asked: string[] = [];
    const program = await connect(kind, clerk, (dialog) => {
      asked.push(left.find((locator) => dialog.message.includes(`booking ${locator}`)) ?? dialog.message);
      return accept(actOf(dialog));
    });
    const statuses: string[] = [];
    for (const locator of left) statuses.push(statusOf(await program.call(locator)));
    const done = left.slice(0, ROOM);
    expect(statuses).toEqual([...Array(ROOM).fill('done'), ...Array(left.length - ROOM).fill('E_LIMIT')]);
    expect([asked, paid().slice(before.length)]).toEqual([done, done]);
    await program.close();
  });

  it('has one question, in five dialogs at most, however often it makes the same call, and one payment after a yes', async () => {
    const clerk = siblingOf(desk, { canUseTerminal: true, page, silenceMs: 300, waitMs: 20 });
    const locator = await heldBooking(desk);
    const before = paid().length;
    let dialogs = 0;
    const person = Promise.withResolvers<void>();
    const program = await connect(kind, clerk, async (dialog) => {
      dialogs += 1;
      await person.promise;
      return accept(actOf(dialog));
    });
    const results: ToolResult[] = [];
    const calls: Promise<unknown>[] = [];
    // In 2026-07-28 a call whose dialog is open ends with it.
    const inDialog = () => (kind === 'v2-2026' ? dialogs : 0);
    while (calls.length < ALIKE) {
      const some = Array.from({ length: AT_ONCE }, () => program.call(locator).then((result) => results.push(result)));
      calls.push(...some);
      while (results.length < calls.length - inDialog()) await wait(20);
    }
    expect([...new Set(results.map(statusOf))]).toEqual(['approval_required']);
    expect(new Set(results.map(({ structuredContent }) => structuredContent.operation_id)).size).toBe(1);
    expect([(await clerk.waiting()).length, paid().length - before]).toEqual([1, 0]);
    expect(dialogs).toBeGreaterThan(0);
    expect(dialogs).toBeLessThanOrEqual(5);
    person.resolve();
    await Promise.all(calls);
    await expect.poll(() => paid().length - before).toBe(1);
    expect(['done', 'already_done']).toContain(
      statusOf(await program.call(locator, results[0]?.structuredContent.approval.id)),
    );
    expect([paid().length - before, (await clerk.waiting()).length]).toEqual([1, 0]);
    await program.close();
  });
});
