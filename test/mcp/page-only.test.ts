/**
 * A question that only the page or the terminal may ask, through the clients that hosts use: none of them is shown a dialog, none can say
 * yes for the person, and the page's yes sends once.
 */
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMcpServer } from '../../src/mcp/server.ts';
import { clientOf, connectHttp, KINDS, type Kind, yes } from '../http/support/clients.ts';
import { serve } from '../http/support/serve.ts';
import { CALLER, testDesk } from '../pages/approval/support/desk-of.ts';

const LINE = 'Paid here on Sun 29 Nov 08:00 (UTC+3): SAR 172.50, 1 ticket. The airline does not show it.';

/** A desk whose payment may be done twice. */
async function openDesk(options: Parameters<typeof testDesk>[0] = {}) {
  const desk = await testDesk({ ...{ approval: 'auto', waitMs: 300, silenceMs: 200 }, ...options });
  desk.world.doneHere = LINE;
  return desk;
}

/** Calls pay_booking as a client of this kind, which counts the dialogs that its host shows and says yes to each. */
type Connected = { call(args: Record<string, unknown>): Promise<{ structuredContent: Record<string, unknown> }> };
type Desk = Awaited<ReturnType<typeof openDesk>>;

async function onStdio(desk: Desk, kind: Kind, asked: string[]): Promise<Connected> {
  const client = clientOf(kind, (dialog) => {
    asked.push(dialog.message);
    return { action: 'accept', content: { decision: yes(dialog) } };
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const served = serveStdio(() => createMcpServer(desk.clerk, { version: '0', caller: CALLER }), {
    transport: ours as never,
  });
  await client.connect(theirs);
  onTestFinished(async () => {
    await client.close();
    await served.close();
    await desk.close();
  });
  return { call: async (args) => (await client.callTool({ name: 'pay_booking', arguments: args })) as never };
}

async function overHttp(desk: Desk, kind: Kind, asked: string[]): Promise<Connected> {
  const at = await serve({ caller: CALLER }, desk);
  const person = (dialog: Parameters<typeof yes>[0]) => {
    asked.push(dialog.message);
    return yes(dialog);
  };
  const client = await connectHttp(kind, at.url, { person });
  onTestFinished(async () => {
    await client.close();
    await at.close();
  });
  return { call: async (args) => (await client.call('pay_booking', args)) as never };
}

const WAYS = [
  ['stdio', onStdio],
  ['HTTP', overHttp],
] as const;

describe.each(WAYS)('on %s', (_way, connect) => {
  test.each(KINDS)('%s is shown no dialog, and the yes on the page sends once', async (kind) => {
    const desk = await openDesk();
    const asked: string[] = [];
    const client = await connect(desk, kind, asked);

    const { structuredContent: first } = await client.call({ locator: 'ABC123' });
    const { id, terms } = first.approval as { id: string; terms: readonly string[] };
    expect([first.status, terms[0]]).toEqual(['approval_required', LINE]);

    const { structuredContent: second } = await client.call({ locator: 'ABC123', approval_id: id });
    expect([second.status, asked, desk.world.sent]).toEqual(['approval_required', [], 0]);

    const [question] = await desk.clerk.waiting();
    await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' });
    const { structuredContent: third } = await client.call({ locator: 'ABC123', approval_id: id });
    expect([third.status, asked, desk.world.sent]).toEqual([expect.stringMatching(/done$/), [], 1]);
  });

  test.each(KINDS)('%s is refused where there is neither page nor terminal', async (kind) => {
    const desk = await openDesk({ canUseTerminal: false });
    const asked: string[] = [];
    const client = await connect(desk, kind, asked);
    const { structuredContent } = await client.call({ locator: 'ABC123' });
    expect(structuredContent.error).toMatchObject({ code: 'E_APPROVAL_UNAVAILABLE', effect: 'none' });
    expect([asked, desk.world.sent, await desk.clerk.waiting()]).toEqual([[], 0, []]);
  });
});
