/**
 * Seven tools × four callers × fifty bookings, all at once: each caller has access to their own bookings, and all
 * others look like bookings that do not exist.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSignIn } from '../../../src/auth/callers/sign-in.ts';
import { type HttpServing, startHttp } from '../../../src/server/http/server.ts';
import { type Issuer, startIssuer } from '../../auth/callers/issuer.ts';
import { inParallel } from '../../campaigns/support/pace.ts';
import { type Called, type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { heldBooking } from '../calls/bookings.ts';
import { type Desk, openDesk } from '../calls/desk.ts';
import { ALL_SCOPES, PUBLIC_URL } from './support/serve.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const BOOKINGS = 25;
const AT_ONCE = 24;

/** The other arguments of each tool: none of them changes anything without a yes. */
const TOOLS: Readonly<Record<string, object>> = {
  read_booking: { detail: 'full', reveal_personal: true },
  quote_cancellation: {},
  get_seat_map: {},
  pay_booking: { payment: { type: 'invoice' } },
  cancel_booking: {},
  cancel_segment: { all: true },
  cancel_passenger: { passenger_refs: ['1'] },
};

interface Owned {
  readonly locator: string;
  readonly surname: string;
  /** Index of the caller who owns the booking. */
  readonly owner: number;
}

let desk: Desk;
let issuer: Issuer;
let server: HttpServing;
let callers: readonly McpCaller[];
let bookings: readonly Owned[];

beforeAll(async () => {
  desk = await openDesk({ approval: 'echo' });
  issuer = await startIssuer();
  server = await startHttp(desk.clerk, {
    version: '0',
    host: '127.0.0.1',
    port: 0,
    caller: { tenant: 'desk', id: 'ann' },
    publicUrl: PUBLIC_URL,
    signIn: createSignIn({ issuer: issuer.issuer, publicUrl: PUBLIC_URL }),
    limits: { calls: { burst: 10_000, perSecond: 1_000 } },
    close: async () => undefined,
  });
  const names = ['ann', 'ben', 'cleo', 'dan'];
  const tokens = names.map((sub) => issuer.sign({ sub, aud: `${PUBLIC_URL}/mcp`, scope: ALL_SCOPES }));
  callers = (await Promise.all(tokens)).map((token) => mcpCaller(server.url, token));
  const made: Owned[] = [];
  for (let n = 0; n < BOOKINGS; n++) {
    const locator = await heldBooking(desk);
    const { travelers } = await desk.parts.airline.read(locator);
    made.push({ locator, surname: travelers[0]?.name?.surname ?? '', owner: n % callers.length });
  }
  bookings = made;
  await inParallel(bookings, 4, ({ locator, surname, owner }) => call(owner, 'read_booking', { locator, surname }));
});
afterAll(async () => {
  for (const caller of callers ?? []) caller.close();
  await server?.stop();
  await issuer?.close();
  await desk?.close();
});

async function call(caller: number, name: string, args: object): Promise<Called> {
  return (callers[caller] as McpCaller).call(name, args);
}

/** The whole answer without the requested locator. */
const told = ({ status, structured }: Called, locator: string): string =>
  JSON.stringify([status, structured]).replaceAll(locator, 'LOCATOR');

it("shows the caller's own bookings with every tool, and no bookings of others", async () => {
  const before = desk.acts().length;
  const unknown = new Map<string, string>();
  for (const [tool, args] of Object.entries(TOOLS)) {
    unknown.set(tool, told(await call(0, tool, { locator: 'ZZZ999', ...args }), 'ZZZ999'));
  }
  const tries = Object.entries(TOOLS).flatMap(([tool, args]) =>
    callers.flatMap((_, caller) => bookings.map((booking) => ({ tool, args, caller, booking }))),
  );
  expect(tries).toHaveLength(7 * 4 * BOOKINGS);
  // Interleaved, so that neighbouring calls have different tools, callers and bookings.
  const mixed = tries.map((_, i) => tries[(i * 347) % tries.length] as (typeof tries)[number]);
  expect(new Set(mixed).size).toBe(tries.length);

  const wrong: string[] = [];
  await inParallel(mixed, AT_ONCE, async ({ tool, args, caller, booking }) => {
    const { locator, owner } = booking;
    const answer = await call(caller, tool, { locator, ...args });
    const text = told(answer, locator);
    const strangers = bookings.filter((other) => other.owner !== caller);
    const leaked = strangers.filter(({ surname }) => text.includes(surname));
    if (leaked.length > 0) wrong.push(`${tool} by ${caller} of ${owner}: names of ${leaked.length} others`);
    const same = text === unknown.get(tool);
    if (same === (owner === caller)) wrong.push(`${tool} by ${caller} of ${owner}: ${text}`);
  });
  expect(wrong).toEqual([]);
  expect([...unknown.values()].every((text) => text.includes('E_NOT_FOUND'))).toBe(true);
  expect(desk.acts().length).toBe(before);
});

it("lists only the caller's own bookings", async () => {
  for (const n of callers.keys()) {
    const { structured } = await call(n, 'list_bookings', { max_results: 200 });
    const seen = (structured.bookings as { locator: string }[]).map(({ locator }) => locator).sort();
    const own = bookings.filter(({ owner }) => owner === n).map(({ locator }) => locator);
    expect(seen).toEqual(own.sort());
  }
});
