/**
 * Answers on the page, carried out through the real clerk, store and journal.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Loopback, startLoopback } from '../../../src/server/approval-page/loopback.ts';
import { type TestDesk, TICKET, testDesk } from './support/desk-of.ts';
import { enter, headingOf } from './support/page-client.ts';

let desk: TestDesk;
let page: Loopback;
let decide: (id: string, yes: boolean) => ReturnType<TestDesk['clerk']['decide']>;

async function open(answerMs?: number): Promise<void> {
  desk = await testDesk(answerMs === undefined ? {} : { answerMs });
  decide = (id, yes) => desk.clerk.decide(id, yes, { assurance: 'page' });
  page = await startLoopback({
    find: (id) => desk.state.approvals.byOperation(id),
    operation: (id) => desk.state.operations.get(id),
    decide: (id, yes) => decide(id, yes),
    now: () => desk.now(),
    environment: 'sandbox',
    log: { failure: ({ error }) => void desk.failures.push(error) },
  });
}

beforeEach(() => open());
afterEach(async () => {
  await page.close();
  await desk.close();
});

/** A promise that is resolved from outside. */
function gate(): { readonly wait: () => Promise<void>; open(): void } {
  let resolve: () => void = () => undefined;
  const opened = new Promise<void>((done) => {
    resolve = done;
  });
  return { wait: () => opened, open: () => resolve() };
}

describe('a yes', () => {
  test('carries out a yes once, and shows its outcome on every visit', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const sent = await visitor.answer('yes');
    expect([sent.status, sent.headers.location]).toEqual([303, new URL(visitor.url).pathname]);
    const outcome = await visitor.look();
    expect(headingOf(outcome)).toBe('Paid SAR 172.50');
    expect(outcome.body).toContain(`Ticket ${TICKET}`);
    expect((await visitor.look()).body).toBe(outcome.body);
    expect(outcome.body).not.toContain('<form');
    expect(desk.world.sent).toBe(1);
    const operation = await desk.state.operations.get(approval.operationId);
    expect(operation).toMatchObject({ state: 'succeeded', assurance: 'page' });
  });

  test('changes nothing on a second answer, yes or no', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    await visitor.decide('yes');
    expect(headingOf(await visitor.decide('yes'))).toBe('Paid SAR 172.50');
    expect(headingOf(await visitor.decide('no'))).toBe('Paid SAR 172.50');
    expect(desk.world.sent).toBe(1);
  });

  test('counts twenty answers at once in two tabs as one, and shows all the same outcome', async () => {
    const approval = await desk.ask();
    const tabs = [await enter(page.addressFor(approval)), await enter(page.addressFor(approval))];
    const presses = Array.from({ length: 20 }, (_, n) => tabs[n % 2]?.decide(n < 18 ? 'yes' : 'no'));
    const told = await Promise.all(presses);
    expect(new Set(told.map((one) => one && headingOf(one)))).toEqual(new Set(['Paid SAR 172.50']));
    expect(desk.world.sent).toBe(1);
  });

  test('shows in another tab that the operation is being carried out', async () => {
    const airline = gate();
    desk.world.answer = airline.wait;
    const approval = await desk.ask();
    const tabs = [await enter(page.addressFor(approval)), await enter(page.addressFor(approval))] as const;
    const pressed = tabs[0].decide('yes');
    await expect.poll(() => desk.world.sent).toBe(1);
    const meanwhile = await tabs[1].look();
    expect(headingOf(meanwhile)).toBe('Being carried out');
    expect(meanwhile.body).toContain('Look again');
    airline.open();
    expect(headingOf(await pressed)).toBe('Paid SAR 172.50');
    expect(headingOf(await tabs[1].look())).toBe('Paid SAR 172.50');
  });

  test('continues to carry out a yes when the tab is closed', async () => {
    const airline = gate();
    desk.world.answer = airline.wait;
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const leaving = new AbortController();
    const left = fetch(visitor.url, {
      method: 'POST',
      redirect: 'manual',
      signal: leaving.signal,
      headers: {
        cookie: visitor.cookie,
        origin: page.origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `token=${visitor.token}&decision=yes`,
    }).catch(() => 'left');
    await expect.poll(() => desk.world.sent).toBe(1);
    leaving.abort();
    expect(await left).toBe('left');
    airline.open();
    await expect.poll(async () => (await desk.state.operations.get(approval.operationId))?.state).toBe('succeeded');
    expect(headingOf(await visitor.look())).toBe('Paid SAR 172.50');
    expect(desk.failures).toEqual([]);
  });
});

describe('a no', () => {
  test('sends nothing after a no, spends the approval and reports the no to the tool', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    expect(headingOf(await visitor.decide('no'))).toBe('You said no');
    expect(headingOf(await visitor.decide('yes'))).toBe('You said no');
    expect(desk.world.sent).toBe(0);
    const { structured } = await desk.again(desk.handleOf(approval.operationId));
    expect(structured.error).toMatchObject({ code: 'E_APPROVAL_DECLINED', effect: 'none' });
  });
});

describe('terms that changed after the question', () => {
  test('sends nothing if the terms changed, shows the new terms and asks for a new question', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    desk.world.lines = ['Pay SAR 199.00 for booking ABC123'];
    const told = await visitor.decide('yes');
    expect(headingOf(told)).toBe('Something changed: nothing was sent');
    expect(told.body).toContain('Pay SAR 199.00 for booking ABC123');
    expect(told.body).toContain('tell the assistant to ask you anew');
    expect(told.body).not.toContain('<form');
    expect(headingOf(await visitor.decide('yes'))).toBe('Something changed: nothing was sent');
    expect(desk.world.sent).toBe(0);
    const { structured, text } = await desk.again(desk.handleOf(approval.operationId));
    expect(structured.error).toMatchObject({ code: 'E_APPROVAL_STALE' });
    expect(text).toContain('Pay SAR 199.00');
  });
});

describe('an outcome that is not known yet', () => {
  test('shows an unknown outcome as unknown, and the current status on every visit', async () => {
    await page.close();
    await desk.close();
    await open(20);
    const airline = gate();
    desk.world.answer = airline.wait;
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const told = await visitor.decide('yes');
    expect(headingOf(told)).toBe('Sent; the outcome is not known yet');
    expect(told.body).toContain(`<a class="again" href="${new URL(visitor.url).pathname}">`);
    airline.open();
    await desk.clerk.idle();
    const later = await visitor.look();
    expect(headingOf(later)).toBe('Paid SAR 172.50');
    expect(later.body).toContain(TICKET);
    expect(desk.world.sent).toBe(1);
  });
});

describe('too late', () => {
  test('does nothing on an answer that comes too late, and says so', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    desk.ahead = 10 * 60_000;
    expect(headingOf(await visitor.look())).toBe('Too late to answer');
    await visitor.answer('yes');
    expect(headingOf(await visitor.look())).not.toBe('Paid SAR 172.50');
    expect(desk.world.sent).toBe(0);
  });

  test('does not find the page of an expired approval later', async () => {
    const approval = await desk.ask();
    const [visitor, unopened] = [await enter(page.addressFor(approval)), page.addressFor(approval)];
    desk.ahead = 71 * 60_000;
    expect((await visitor.look()).status).toBe(404);
    await expect(enter(unopened)).resolves.toMatchObject({ cookie: '' });
  });
});

describe('an internal failure', () => {
  test("never claims after a failure that nothing was sent, and later shows the journal's outcome", async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    decide = async (id, yes) => {
      await desk.clerk.decide(id, yes, { assurance: 'page' });
      throw new Error('the store went away');
    };
    const told = await visitor.answer('yes');
    expect(told.status).toBe(500);
    expect(told.body).not.toContain('Nothing was sent');
    expect(told.body).not.toContain('the store went away');
    expect(desk.failures).toHaveLength(1);
    const later = await visitor.look();
    expect(headingOf(later)).toBe('Paid SAR 172.50');
    expect(later.body).toContain(`Ticket ${TICKET}`);
  });

  test('shows a plain page if the store cannot be read', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const { approvals } = desk.state;
    const get = approvals.byOperation.bind(approvals);
    approvals.byOperation = () => Promise.reject(new Error('disk'));
    const told = await visitor.look();
    approvals.byOperation = get;
    expect([told.status, headingOf(told)]).toEqual([500, 'Something went wrong here']);
    expect(told.body).not.toContain('disk');
    expect(desk.failures).toHaveLength(1);
  });
});
