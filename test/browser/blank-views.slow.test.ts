/**
 * A view that stays blank loses nothing: every fact that any tool's view draws is in both halves of the results that it was drawn
 * from, of a reading, of a question and of an outcome.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ACTS } from '../campaigns/support/acts.ts';
import { dayFrom, heldBooking, ticketedBooking } from '../clerk/calls/bookings.ts';
import { accept, CALLER, type Result, resultOf, siblingOf } from '../clerk/calls/desk.ts';
import { unsaid } from '../support/halves.ts';
import { type CallResult, type MiniHost, openMiniHost } from './apps/mini-host.ts';

let host: MiniHost;
beforeAll(async () => {
  host = await openMiniHost();
});
afterAll(() => host.close());
afterEach(() => expect(host.complaints.splice(0)).toEqual([]));

interface Halves {
  readonly text: string;
  readonly structured: object;
}

const halvesOf = ({ content, structuredContent }: CallResult): Halves => ({
  text: (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n'),
  structured: structuredContent as object,
});

/** As a client gets it, with what only views read. */
const sent = ({ text, structured, meta = {} }: Result): CallResult => ({
  content: [{ type: 'text', text }],
  structuredContent: JSON.parse(JSON.stringify(structured)),
  _meta: Object.fromEntries(Object.entries(meta).map(([key, value]) => [`io.github.fareclerk/${key}`, value])),
});

/** Draws the result, and compares with it and with the readings that the view itself asks for. */
async function lost(
  tool: string,
  args: object,
  result: CallResult,
): Promise<{ drawn: string; lost: readonly string[] }> {
  const read: CallResult[] = [];
  const bend = (more: CallResult) => {
    read.push(more);
    return more;
  };
  const { view } = await host.show(tool, args, result, { bend });
  // The halves say in how many minutes: a card knows the clock of its reader.
  const drawn = (await view.locator('main').innerText())
    .replaceAll('\n', ' ')
    .replace(/expires at \d\d:\d\d/, 'expires');
  // It has facts that could be lost.
  expect(unsaid(drawn, [{ text: '', structured: {} }]), drawn).not.toEqual([]);
  return { drawn, lost: unsaid(drawn, [result, ...read].map(halvesOf)) };
}

const READINGS: Readonly<Record<string, (locator: string) => Promise<object>>> = {
  search_fares: async () => ({
    legs: [{ ...trip(), days_before: 2, days_after: 2 }],
    passengers: { adults: 2 },
  }),
  get_seat_map: async (locator) => ({ locator }),
};

const trip = () => ({ from: 'QCA', to: 'XMD', date: dayFrom(host.desk, 20) });

const look = async (tool: string, args: object) => (await host.desk.result(tool, args)).structured;

test.each(Object.keys(READINGS))('loses nothing of %s', async (tool) => {
  const args = (await READINGS[tool]?.(await ticketedBooking(host.desk))) ?? {};
  const shown = await lost(tool, args, await host.call(tool, args));
  expect(shown.lost, shown.drawn).toEqual([]);
  expect(shown.drawn).toMatch(/SAR|[Ss]eat/);
});

test.each(ACTS)('loses nothing of the question of $name, nor of its outcome', async ({ tool, on, args: argsFor }) => {
  const locator = await (on === 'held' ? heldBooking : ticketedBooking)(host.desk);
  const args = await argsFor(locator, look);
  const page = { canOpen: () => true, open: async () => ({ opened: true }) };
  const link = {
    canOpen: () => true,
    open: async () => ({ opened: false, publicUrl: 'https://air.example/approve/1' }),
  };
  for (const [ways, place] of [
    [{ page, canUseTerminal: true, approval: 'page' }, 'fareclerk approve '],
    [{ page: link, approval: 'page' }, 'https://air.example/approve/1'],
  ] as const) {
    const clerk = siblingOf(host.desk, ways);
    const asked = resultOf(await clerk.call(tool, args, { caller: CALLER }));
    expect(asked.structured.status, asked.text).toBe('approval_required');
    const shown = await lost(tool, args, sent(asked));
    expect(shown.lost, shown.drawn).toEqual([]);
    expect(shown.drawn).toContain('Your decision is needed');
    expect(shown.drawn).toContain(place);
    const act = String(Object(asked.meta?.question).act);
    const { terms } = asked.structured.approval as { terms: readonly string[] };
    for (const half of [asked.text, String(asked.structured.next)]) expect(half).toMatch(/expires in \d+ min/);
    expect([shown.drawn.includes(act), terms.filter((line) => !asked.text.includes(line))]).toEqual([true, []]);
  }
  const done = await host.desk.say(tool, args, accept);
  expect(done.structured.status, done.text).toBe('done');
  const shown = await lost(tool, args, sent(done));
  expect(shown.lost, shown.drawn).toEqual([]);
  const { changed = [] } = done.structured.booking as { readonly changed?: readonly string[] };
  // Names, numbers and seats: the halves use words of their own around them.
  const facts = changed.flatMap((line) => line.match(/[\w-]*[A-Z\d][\w-]*/g) ?? []);
  expect(
    facts.filter((fact) => !done.text.includes(fact)),
    done.text,
  ).toEqual([]);
});

test('every tool with a view is tried, but run_plan, whose card is that of any question', async () => {
  const tried = [...Object.keys(READINGS), ...ACTS.map(({ tool }) => tool), 'run_plan'];
  expect([...new Set(tried)].toSorted()).toEqual((await host.drawn()).toSorted());
});
