/** The page "Decided", with a real OpenID provider: who sees which questions, what became of them and what moved. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { newOperation } from '../../store/support/new-operation.ts';
import { fetchPage, headingOf, visible } from './support/page-client.ts';
import type { PersonAt } from './support/person.ts';
import { openPublicDesk, type PublicDesk } from './support/public-desk.ts';

let at: PublicDesk;
let list: string;
let inbox: string;
/** Approves for others, supervises, and neither. */
let [bea, lea, eve]: PersonAt[] = [];
beforeAll(async () => {
  at = await openPublicDesk({ fourEyesAbove: { minor: 20_000, currency: 'SAR' } });
  inbox = `${at.publicUrl}/approve/`;
  list = `${inbox}decided`;
});
afterAll(() => at.close());
beforeEach(() => {
  // What one test asked is out of the list of the next.
  at.desk.ahead += 31 * 24 * 3_600_000;
  [bea, lea, eve] = ['boss-bea', 'lead-lea', 'eve'].map((name) => at.person(name));
});
afterEach(() => expect(at.desk.failures).toEqual([]));

const MINUTE = 60_000;
type Over = Parameters<PublicDesk['askAs']>[0];
type Operation = ReturnType<typeof newOperation>;

const times = (minutesAgo = 5) => {
  const createdAt = at.desk.now() - minutesAgo * MINUTE;
  return { createdAt, expiresAt: createdAt + 10 * MINUTE, decidedAt: createdAt + MINUTE };
};
let locators = 0;
/** A question that bea or its asker answered, without what its page would need. */
async function decided(over: Over = {}) {
  const id = crypto.randomUUID();
  const approval = {
    ...{ handleHash: id, operationId: id, tenant: at.caller.tenant, caller: at.caller.id, tool: 'pay_booking' },
    ...{
      locator: `D${++locators}`,
      argsDigest: 'a',
      termsDigest: 'd',
      sections: [],
      nature: 'payment',
      act: { verb: 'Pay' },
    },
    ...{ askedBy: 'page', decision: 'granted', assurance: 'page', approver: 'oauth:boss-bea:page' },
    ...times(),
    carried: { operation: { direction: 'payment', amount: { minor: 17_250, currency: 'SAR' } } },
    ...over,
  } as Parameters<typeof at.desk.state.approvals.put>[0];
  await at.desk.state.approvals.put(approval);
  return approval;
}
/** Enters its operation, and leads it through these states. */
async function operation(
  { operationId, locator, caller, tenant }: Awaited<ReturnType<typeof decided>>,
  states: readonly ('dispatched' | 'in_doubt' | 'succeeded' | 'refused' | 'not_executed' | 'needs_person')[],
  over: Partial<Operation> = {},
) {
  const { operations } = at.desk.state;
  const now = at.desk.now();
  const entered = newOperation(operationId, { locator: locator ?? '', caller, tenant, ...over });
  await operations.insert(entered, { now, owner: 'p', leaseUntil: now + MINUTE });
  let before: Parameters<typeof operations.transition>[1]['to'] = 'intent';
  for (const state of states) {
    const patch = state === 'dispatched' ? { dispatchedAt: now } : { outcome: { basis: 'reply' as const, check: 'x' } };
    await operations.transition(operationId, { from: [before], to: state, patch }, { now, actor: 'p' });
    before = state;
  }
}

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
const rowsOf = ({ body }: { body: string }) =>
  [...body.matchAll(/<li>[\s\S]*?<\/li>/g)].map(([item]) =>
    visible({ body: item })
      .replaceAll('\n', ' ')
      .replaceAll(' ,', ',')
      .replace(/, reference [\w-]{8}/, ''),
  );
const rowOf = (page: { body: string }, { locator = '?' }: { locator?: string }) =>
  rowsOf(page).find((row) => row.includes(`booking ${locator}`)) ?? '';

it('shows what was asked, who asked, who answered and how, when, and what became of it, the newest first', async () => {
  const facts = { route: 'MKX-DMX-MKX', departs: '2026-12-01T08:00:00+03:00', adults: 2, children: 1, infants: 0 };
  const paid = await decided(times(9));
  await operation(paid, ['dispatched', 'succeeded'], { facts });
  const own = await decided({ ...times(7), decision: 'declined', assurance: 'person', approver: undefined });
  const page = await at.person('ann').open(list);
  expect([page.status, page.url.href, headingOf(page)]).toEqual([200, list, 'Decided in the last 30 days']);
  const rows = rowsOf(page);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(
    new RegExp(
      `^→ Payment, booking ${own.locator} Not approved Asked for you, \\w{3} .*${clock(own.createdAt)} \\(UTC\\)\\. You declined it in the dialog, .*${clock(own.decidedAt ?? 0)} \\(UTC\\)\\.$`,
    ),
  );
  expect(rows[1]).toMatch(
    new RegExp(
      `^→ MKX → DMX → MKX, Tue 1 Dec Payment, booking ${paid.locator}, 2 adults, 1 child SAR 172.50 paid, nothing came back Done Asked for you, .*\\. boss-bea approved it on the page, `,
    ),
  );
  expect(page.body).toContain(`href="/approve/${paid.operationId}"`);
  expect(page.body).not.toMatch(/<form|<button|http-equiv="refresh"/);
});

it('says what became of each kind', async () => {
  const endings: readonly (readonly [words: string, over: Over, states?: Parameters<typeof operation>[1]])[] = [
    ['SAR 172.50 paid, nothing came back Done Asked', {}, ['dispatched', 'succeeded']],
    ['Refused by the airline Asked', {}, ['dispatched', 'refused']],
    ['Not carried out Asked', {}, ['not_executed']],
    ['Not sent yet Asked', {}, []],
    ['Sent, no answer yet Asked', {}, ['dispatched']],
    ['Sent; the outcome is not known Asked', {}, ['dispatched', 'in_doubt']],
    ['Needs a person Asked', {}, ['dispatched', 'in_doubt', 'needs_person']],
    ['Not done yet Asked', {}],
    ['Not done Asked', { decision: 'void' }],
    ['Not done Asked', times(20)],
    ['Not done: the terms had changed Asked', { decision: 'void', voidWhy: 'terms_changed' }],
    ['Not approved Asked', { decision: 'declined' }],
    ['Nobody answered Asked', { ...times(20), decision: 'pending', ...unanswered() }],
    ['Withdrawn Asked', { decision: 'void', voidWhy: 'stopped', ...unanswered() }],
    ['Withdrawn Asked', { decision: 'replaced', ...unanswered() }],
    ['Withdrawn Asked', { decision: 'void', voidWhy: 'done_elsewhere', ...unanswered() }],
  ];
  const asked = [];
  for (const [words, over, states] of endings) {
    const question = await decided(over);
    if (states !== undefined) await operation(question, states);
    asked.push([words, question] as const);
  }
  const waits = await at.ask();
  const hold = await decided({ tool: 'create_booking', assurance: 'none', approver: undefined });
  const page = await at.person('ann').open(list);
  for (const [words, question] of asked) {
    const row = rowOf(page, question);
    expect(row).toContain(` ${words}`);
    expect(/ (?:approved|declined) it on the page/.test(row), row).toBe(question.assurance !== undefined);
  }
  for (const { operationId, locator = '' } of [waits, hold]) {
    expect(page.body).not.toContain(operationId);
    expect(rowsOf(page).join('\n')).not.toMatch(new RegExp(`${locator}\\b`));
  }
});

const unanswered = () => ({ assurance: undefined, approver: undefined });

it('says how a yes was given, and what a refund or a change was about', async () => {
  const none = { carried: undefined };
  const back = { carried: { operation: { direction: 'refund', amount: { minor: 8_625, currency: 'SAR' } } } };
  const refund = await decided({ ...back, tool: 'cancel_booking', assurance: 'caller_confirmed', approver: undefined });
  const change = await decided({ ...none, tool: 'change_names', assurance: 'person', approver: undefined });
  const unknown = await decided({ ...none, tool: 'of_later_version' });
  const page = await at.person('ann').open(list);
  expect(rowOf(page, refund)).toMatch(/^→ Cancellation, booking .* You approved it through the assistant, /);
  expect(rowOf(page, change)).toMatch(/^→ Change of names, booking .* You approved it in the dialog, /i);
  expect(rowOf(page, unknown)).toContain('→ Change, booking');
});

it('sums up a plan by what became of its acts', async () => {
  const plan = (line: number, over: Over = {}) =>
    decided({
      part: { plan: 'pl_1', question, line, step: 0, ...(line === 0 && { alone: true as const }) },
      ...over,
    });
  const question = crypto.randomUUID();
  await plan(0, { operationId: question, handleHash: question, tool: 'run_plan', locator: undefined });
  await operation(await plan(1), ['dispatched', 'succeeded']);
  await operation(await plan(2), ['dispatched', 'succeeded']);
  await operation(await plan(3), ['dispatched', 'in_doubt']);
  await plan(4, { decision: 'declined' });
  await plan(5);
  const running = await (bea as PersonAt).open(list);
  expect(rowsOf(running)).toHaveLength(1);
  expect(rowsOf(running)[0]).toMatch(
    /^→ Plan SAR 345\.00 paid, nothing came back 2 done · 1 sent; the outcome is not known · 1 not approved · 1 not done yet Asked for ann/,
  );
  at.desk.ahead += 31 * MINUTE;
  expect(rowsOf(await (bea as PersonAt).open(list))[0]).toContain(
    'SAR 345.00 paid, nothing came back 2 done · 1 sent; the outcome is not known · 1 not approved · 1 not done Asked',
  );
});

it('shows each person what they asked or answered themselves, and a supervisor what the whole desk did', async () => {
  const of = {
    ann: await decided(),
    eve: await decided({ caller: 'oauth:eve:desk' }),
    phone: await decided({ caller: 'oauth:eve:phone' }),
    bob: await decided({ caller: 'oauth:bob:desk' }),
    foreign: await decided({ tenant: 'https://other.example', caller: 'oauth:eve:desk' }),
  };
  const locatorsOf = async (person: PersonAt | undefined) => {
    const page = await (person as PersonAt).open(list);
    return {
      seen: Object.entries(of).flatMap(([name, { locator = '' }]) => (page.body.includes(`${locator}<`) ? [name] : [])),
      linked: Object.entries(of).flatMap(([name, { operationId }]) => (page.body.includes(operationId) ? [name] : [])),
    };
  };
  const tenant = ['ann', 'eve', 'phone', 'bob'];
  expect(await locatorsOf(eve)).toEqual({ seen: ['eve', 'phone'], linked: ['eve', 'phone'] });
  // She answered them all.
  expect(await locatorsOf(bea)).toEqual({ seen: tenant, linked: tenant });
  expect(await locatorsOf(lea)).toEqual({ seen: tenant, linked: tenant });
  const kim = await at.person('kim').open(list);
  expect([headingOf(kim), visible(kim).includes('Nothing was decided that you asked or answered.')]).toEqual([
    'Decided in the last 30 days',
    true,
  ]);
  expect(visible(await (eve as PersonAt).open(list))).toContain('Asked for you, ');
});

it('sends who is not signed in to the provider, and back; one sign-in opens the inbox and questions too', async () => {
  const anonymous = await fetchPage(list);
  expect([anonymous.status, anonymous.headers.location?.startsWith(at.openId.issuer), anonymous.body]).toEqual([
    303,
    true,
    '',
  ]);
  const question = await at.ask();
  const person = at.person('ann');
  expect((await person.open(list)).url.href).toBe(list);
  const next = await person.step(new URL(inbox));
  expect([next.status, headingOf(next)]).toEqual([200, '1 open question for you']);
  expect(next.body).toContain('href="/approve/decided"');
  expect(headingOf(await person.step(new URL(at.address(question))))).toBe('Pay SAR 172.50');
  const other = at.person('ann');
  await other.open(inbox);
  expect((await other.step(new URL(list))).status).toBe(200);
  // Who signs in as somebody else is that person in both lists.
  const again = await person.step(new URL(`${list}?as=another`));
  expect([again.status, again.headers.get('location')?.includes('prompt=login')]).toEqual([303, true]);
  for (const cookie of ['fareclerk_session=x', other.cookies(new URL(inbox)).replaceAll('=', '=x')])
    expect((await fetchPage(list, { headers: { cookie } })).status).toBe(303);
});

it('leads to the inbox, and the page after an answer leads here', async () => {
  const question = await at.ask();
  const ann = at.person('ann');
  const answered = await ann.press(await ann.open(at.address(question)), 'no');
  expect(answered.body).toContain('<a href="/approve/decided">What was decided in the last 30 days</a>');
  const page = await ann.open(list);
  expect(rowOf(page, question)).toContain('Not approved');
  expect(page.body).toContain('<a href="/approve/">Open questions for you</a>');
});

it('has the headers of the other pages, and answers nothing but GET', async () => {
  const page = await (bea as PersonAt).open(list);
  const waiting = await (bea as PersonAt).step(new URL(inbox));
  for (const name of ['content-security-policy', 'cache-control', 'x-frame-options', 'referrer-policy', 'content-type'])
    expect([name, page.headers.get(name)]).toEqual([name, waiting.headers.get(name)]);
  const posted = await fetchPage(list, { method: 'POST', headers: { origin: at.publicUrl } });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET']);
  expect((await fetchPage(`${list}/x`)).status).toBe(404);
  expect((await fetchPage(list, { headers: { host: 'evil.example' } })).status).toBe(403);
});

it('names the travellers while the question keeps them, has no reason, and escapes what the airline or a caller sent', async () => {
  const canary = 'CANARY';
  await decided({
    about: {
      people: ['Amal <s>Haddad'],
      count: 1,
      route: '<b>Makkah</b> → "Madinah"',
      departs: '2026-12-01T08:00:00Z',
    },
    sections: [{ kind: 'people', lines: [`Amal ${canary}`] }],
    act: { verb: 'Remove', object: `Amal ${canary}` },
    voidLines: [canary],
    client: { name: canary, version: '1' },
    caller: 'oauth:%3Cimg%20src%3Dx%3E:desk',
  });
  const paid = await decided({ locator: '<i>X' });
  await operation(paid, ['dispatched', 'succeeded'], { facts: { route: '<u>A-B' }, reason: canary });
  const page = await (bea as PersonAt).open(list);
  expect(rowsOf(page)).toHaveLength(2);
  expect(page.body).not.toContain(canary);
  expect(page.body).not.toMatch(/<b>|<i>|<u>|<s>|<img/);
  expect(page.body).toContain('Amal ‹s›Haddad');
  expect(page.body).toContain('&lt;b&gt;Makkah&lt;/b&gt;');
});

it('lists the last fifty of thirty days, also those that are long over', async () => {
  const ids: (string | undefined)[] = [];
  for (let n = 0; n < 52; n++) ids.push((await decided(times(5 + n * 12 * 60))).locator);
  await at.desk.state.clean();
  const rows = rowsOf(await (bea as PersonAt).open(list));
  expect(rows.map((row) => /booking (\w+)/.exec(row)?.[1])).toEqual(ids.slice(0, 50));
  at.desk.ahead += 20 * 24 * 60 * MINUTE;
  expect(rowsOf(await at.person('boss-bea').open(list)).length).toBeLessThan(50);
});

it('answers 500 if the state cannot be read', async () => {
  await (bea as PersonAt).open(list);
  const { decided: reader } = at.desk.state;
  const { lastOf } = reader;
  reader.lastOf = () => Promise.reject(new Error('disk'));
  const broken = await (bea as PersonAt).step(new URL(list));
  reader.lastOf = lastOf;
  expect([broken.status, headingOf(broken)]).toEqual([500, 'Something went wrong here']);
  expect(at.desk.failures.splice(0)).toHaveLength(1);
});
