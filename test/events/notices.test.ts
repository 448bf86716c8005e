/** Approvers hear that a question waits, where they are: with real receivers, in the form that each of them documents. */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventTargets } from '../../src/cli/runtime/events.ts';
import { webhook } from '../../src/events/deliver-with-retries.ts';
import { runEvents } from '../../src/events/run-events.ts';
import { createSender } from '../../src/events/signed-post.ts';
import { pendingApproval } from '../support/approvals.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { deliverAll, MINUTE, openToldAddress, type ToldAddress } from './support/told-address.ts';

type Form = 'slack' | 'teams' | 'ntfy' | 'webhook';
type Question = NonNullable<Parameters<typeof pendingApproval>[0]>;

const INBOX = 'https://air.example/desk/approve/';
const PAGE = `${INBOX}op1`;
const AT = Date.parse('2026-12-01T09:00:00Z');
const HOUR = 60 * MINUTE;
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

let now: number;
let desk: ToldAddress;
beforeEach(async () => {
  now = AT;
  desk = await openToldAddress(() => now);
});
afterEach(() => desk.close());

const noticed = (form: Form, address = desk.receiver.url) => {
  const config = {
    webhooks: { addresses: [], notices: [{ form, address }] },
    http: { publicUrl: 'https://air.example/desk' },
  };
  const [target] = eventTargets(config as never, {
    approvals: desk.state.approvals,
    clock: { now: () => now } as never,
  });
  if (target === undefined) throw new Error('no target');
  return target;
};

const asks = (changes: Question = {}) =>
  desk.state.approvals.put(
    pendingApproval({
      ...{ createdAt: now, expiresAt: now + 10 * MINUTE, operationId: 'op1' },
      sections: [{ kind: 'people', lines: ['Passenger 1: “Amal Haddad”, adult'] }],
      about: { people: ['Amal Haddad'], count: 1, route: 'Makkah → Madinah', departs: '2026-12-13T08:00:00+03:00' },
      carried: { args: {}, operation: { amount: { minor: 17_250, currency: 'SAR' }, direction: 'payment' } },
      caller: 'oauth:kim:desk',
      ...changes,
    }),
  );

const bodies = ({ got }: Receiver) => got.map(({ body }) => body);

const TEXTS: Readonly<Record<Form, object | string>> = {
  slack: {
    text: 'kim asks to approve: payment of SAR 172.50, Makkah → Madinah, Sun 13 Dec. 10 min left, until <!date^1796116200^{date_short} {time}|Tue 1 Dec 2026 09:10 (UTC)>: <https://air.example/desk/approve/op1|open the question>',
  },
  teams: {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [
            {
              type: 'TextBlock',
              wrap: true,
              text: 'kim asks to approve: payment of SAR 172.50, Makkah → Madinah, Sun 13 Dec. 10 min left, until {{DATE(2026-12-01T09:10:00Z, SHORT)}} {{TIME(2026-12-01T09:10:00Z)}}: [open the question](https://air.example/desk/approve/op1)',
            },
          ],
        },
      },
    ],
  },
  ntfy: 'kim asks to approve: payment of SAR 172.50, Makkah → Madinah, Sun 13 Dec. 10 min left, until Tue 1 Dec 2026 09:10 (UTC): https://air.example/desk/approve/op1',
  webhook: {
    type: 'question.waiting',
    timestamp: '2026-12-01T09:00:00.000Z',
    data: {
      text: 'kim asks to approve: payment of SAR 172.50, Makkah → Madinah, Sun 13 Dec. 10 min left, until Tue 1 Dec 2026 09:10 (UTC).',
      due_at: '2026-12-01T09:10:00.000Z',
      url: PAGE,
    },
  },
};
/** What each of them takes at most, bytes. */
const MOST: Readonly<Record<Form, number>> = { slack: 40_000, teams: 28_000, ntfy: 4_096, webhook: 4_096 };

describe.each(Object.keys(TEXTS) as Form[])('%s', (form) => {
  test('gets the act, sum, route and day, who asks, the deadline and the address of that question, and no passenger', async () => {
    // Who checks the signature goes by the real time.
    const sender = createSender({ secrets: [SECRET], privateHosts: ['127.0.0.1'], now: Date.now });
    const deliverer = await desk.deliverer(noticed(form), { sender });
    await asks();
    await deliverAll(deliverer);
    await sender.close();
    const [got] = desk.receiver.got;
    expect(desk.receiver.got).toHaveLength(1);
    expect(form === 'ntfy' ? got?.body : JSON.parse(got?.body ?? '')).toEqual(TEXTS[form]);
    expect(Buffer.byteLength(got?.body ?? '')).toBeLessThanOrEqual(MOST[form]);
    expect(JSON.stringify([got?.body, got?.headers])).not.toMatch(/Haddad|ABC123/);
    const type = form === 'ntfy' ? 'text/plain; charset=utf-8' : 'application/json';
    expect(got?.headers['content-type']).toBe(type);
    expect(got?.headers.click).toBe(form === 'ntfy' ? PAGE : undefined);
    if (form === 'webhook') new Webhook(SECRET).verify(got?.body ?? '', got?.headers as Record<string, string>);
    else expect(Object.keys(got?.headers ?? {}).filter((name) => name.startsWith('webhook'))).toEqual([]);
  });

  test('hears nothing of a question in a dialog, of one that was answered, of one that lapsed, and of other events', async () => {
    const deliverer = await desk.deliverer(noticed(form));
    await asks({ askedBy: 'elicit' });
    await asks({ handleHash: 'h2', operationId: 'op2' });
    await desk.state.approvals.decide('h2', { decision: 'declined', assurance: 'page' }, now);
    await asks({ handleHash: 'h3', operationId: 'op3', expiresAt: now + 1 });
    await desk.state.outbox.add([{ id: 'x', type: 'booking.changed', at: now, tenant: 't', kind: 'page' }]);
    now += 2;
    await deliverAll(deliverer);
    expect(desk.receiver.got).toEqual([]);
    expect(await desk.state.deliveries.dead(10)).toEqual([]);
  });

  test('hears of one person’s many questions in one notice a minute, and of another person’s at once', async () => {
    const deliverer = await desk.deliverer(noticed(form));
    await asks();
    await deliverAll(deliverer);
    now += 1_000;
    // Too many for a notice each: another application of the person asks too.
    for (let i = 2; i <= 100; i++)
      await asks({
        handleHash: `h${i}`,
        operationId: `op${i}`,
        locator: `KIM${i}`,
        caller: i % 2 ? 'oauth:kim:desk' : 'oauth:kim:phone',
      });
    await deliverAll(deliverer);
    expect(desk.receiver.got).toHaveLength(1);
    await asks({ handleHash: 'h-ann', operationId: 'op-ann', locator: 'ANN001', caller: 'oauth:ann:desk' });
    await deliverAll(deliverer);
    expect(bodies(desk.receiver).slice(1)).toEqual([
      expect.stringContaining('ann asks to approve: payment of SAR 172.50'),
    ]);
    now += 59_000;
    await desk.state.approvals.decide('h1', { decision: 'declined', assurance: 'page' }, now);
    await deliverAll(deliverer);
    expect(bodies(desk.receiver).slice(2)).toEqual([expect.stringContaining('99 questions of kim wait for a person.')]);
    expect(bodies(desk.receiver)[2]).toContain(form === 'slack' ? `<${INBOX}|all questions>` : INBOX);
    now += MINUTE;
    await deliverAll(deliverer);
    expect(desk.receiver.got).toHaveLength(3);
    expect(await desk.state.deliveries.dead(10)).toEqual([]);
  });

  test('hears of the others when the question of a notice that failed was answered meanwhile', async () => {
    const deliverer = await desk.deliverer(noticed(form));
    await asks();
    await asks({ handleHash: 'h2', operationId: 'op2' });
    desk.receiver.answer = () => 500;
    await deliverer.pass();
    const tried = desk.receiver.got.length;
    desk.receiver.answer = () => 204;
    for (const hash of ['h1', 'h2'].slice(0, 1))
      await desk.state.approvals.decide(hash, { decision: 'declined', assurance: 'page' }, now);
    now += MINUTE;
    await deliverAll(deliverer);
    expect(bodies(desk.receiver).slice(tried).join()).toContain('1 question of kim waits for a person.');
  });

  test('can be tried', async () => {
    await desk.sender.send(desk.receiver.url, noticed(form).testMessage(now));
    expect(bodies(desk.receiver)).toEqual([expect.stringContaining('This is a test')]);
  });
});

describe('a question that a change of mind ended', () => {
  const deciding = ['cancel_booking', 'pay_booking'];
  const times = () => ({ createdAt: now, expiresAt: now + 10 * MINUTE, caller: 'oauth:kim:desk' });
  const act = () => desk.state.approvals.ask(pendingApproval({ ...times(), topic: 'ABC123' }), { open: 100, deciding });
  const plan = async (id: string) => {
    const { plans } = desk.state;
    const body = { lines: [], terms: [], leftOut: [], notAsked: {} };
    await plans.put({ ...times(), id, tenant: 't', body });
    const row = (line: number, more: Question) => {
      const ids = { handleHash: `${id}-${line}`, operationId: line === 0 ? id : `${id}-${line}` };
      return pendingApproval({ ...times(), ...ids, part: { plan: id, question: id, line, step: 0 }, ...more });
    };
    const part = { plan: id, question: id, line: 0, step: 0, alone: true as const };
    const { locator: _, ...question } = row(0, { tool: 'run_plan', part });
    const steps = [row(1, { tool: 'cancel_booking' })];
    return plans.ask(
      { id, question: id, expiresAt: now + 10 * MINUTE, body },
      [question, ...steps],
      undefined,
      deciding,
    );
  };

  test.each([
    ['a plan, by an act', 'pl_1', () => plan('pl_1'), act, 'op1'],
    ['a plan, by another plan', 'pl_1', () => plan('pl_1'), () => plan('pl_2'), 'pl_2'],
    ['a plan, by a stop', 'pl_1', () => plan('pl_1'), () => desk.state.plans.stop('pl_1', now), undefined],
    ['an act, by a plan', 'op1', act, () => plan('pl_2'), 'pl_2'],
  ] as const)('sends no notice any more, nor one that its time is over: %s', async (_, older, first, second, newer) => {
    const deliverer = await desk.deliverer(noticed('ntfy'));
    await first();
    expect(await second()).toEqual(
      newer === undefined ? true : expect.objectContaining({ replaced: [expect.anything()] }),
    );
    await deliverAll(deliverer);
    expect(bodies(desk.receiver)).toEqual(newer === undefined ? [] : [expect.stringContaining(`/${newer}`)]);
    const over = (await desk.state.outbox.lapsed(now, now + HOUR)).map(({ operationId }) => operationId);
    expect([over.includes(older), over]).toEqual([false, newer === undefined ? [] : [newer]]);
    // The reminder before the end is of the newer one alone.
    now += 6 * MINUTE;
    await deliverAll(deliverer);
    expect(bodies(desk.receiver).join()).not.toContain(`/${older}`);
  });
});

test('comes again five minutes before the end, and a dead target delays nothing', async () => {
  const other = await startReceiver();
  const dead = await startReceiver();
  await dead.close();
  const end = new AbortController();
  const clock = {
    now: () => now,
    async sleep(ms: number, signal?: AbortSignal) {
      if (!signal?.aborted) now += Math.min(ms, 1_000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
  const { outbox, deliveries, leases } = desk.state;
  const targets = [noticed('slack', dead.url), noticed('ntfy'), webhook(other.url)];
  const done = runEvents({ outbox, deliveries, leases, clock, sender: desk.sender, owner: 'one', targets }, end.signal);
  const until = async (is: () => boolean) => {
    for (const from = Date.now(); !is() && Date.now() - from < 60_000; )
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until(() => now > AT + 2_000);
  await asks();
  await until(() => desk.receiver.got.length === 2 && other.got.length === 2);
  end.abort();
  await done;
  await other.close();
  const left = bodies(desk.receiver).map((body) => Number(/(\d+) min left/.exec(body)?.[1]));
  expect(left).toEqual([expect.toSatisfy((n) => n >= 9), expect.toSatisfy((n) => n === 4 || n === 5)]);
  expect(other.got.map(({ body }) => JSON.parse(body).type)).toEqual(['question.waiting', 'question.lapsing']);
});
