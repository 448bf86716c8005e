/**
 * A plan on the page: its question with a tick for each line, what the form may say, and its lines after the yes.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sumByCurrency } from '../../../src/plans/plan-money.ts';
import { sar } from '../../support/bookings.ts';
import { expectGolden } from '../../support/golden.ts';
import { enter, fetchPage, headingOf, type Visitor, visible } from './support/page-client.ts';
import {
  askedPlan,
  type LineView,
  lineView,
  moveLine,
  type PlanOnPage,
  planOf,
  planOnPage,
  planStates,
} from './support/plan-on-page.ts';

let desk: PlanOnPage;
let visitor: Visitor;

beforeEach(async () => {
  desk = await planOnPage(askedPlan());
  visitor = await enter(desk.page.addressFor(desk.approval));
});
afterEach(() => desk.page.close());

const submit = (fields: string) => visitor.answer('yes', { body: `token=${visitor.token}&${fields}` });
const lookAt = (query: string) => fetchPage(visitor.url + query, { headers: { cookie: visitor.cookie } });
/** What is read without opening anything; when it must be answered is left out. */
const textOf = ({ body }: Parameters<typeof visible>[0], isOpen = false) =>
  visible({ body: isOpen ? body : body.replace(/<details[\s\S]*?<\/details>/g, '') })
    .replace(/^fareclerk\nSandbox.*\n|\nReference question$/g, '')
    .replace(/answer by [\d:]+ \(UTC\)/, 'answer by TIME');

test('reads as a question about each line, and then as what became of each', async () => {
  const scenes: Record<string, string> = {};
  for (const [title, now] of Object.entries(planStates())) {
    desk.now = now;
    if (title === 'a question') scenes[`${title}, with its terms opened`] = textOf(await visitor.look(), true);
    else scenes[title] = textOf(await visitor.look());
  }
  await expectGolden('page/plan', scenes);
});

describe('the question about a plan', () => {
  test('has a tick for each open line, none of which is ticked, and no comes first', async () => {
    expect(headingOf(visitor.page)).toBe('Move 1, cancel 2 bookings');
    expect(visitor.page.body.match(/<input type="checkbox" name="line" value="\d">/g)).toHaveLength(3);
    // Nor by a link or form, whoever made it.
    expect((await submit('decision=all&line=2')).status).toBe(400);
    for (const query of ['?ticks=all', '?line=1', '?decision=all'])
      expect((await lookAt(query)).body.match(/checkbox[^>]*checked/g)).toBe(null);
    expect(desk.decided).toEqual([]);
    desk.now = { view: planOf([lineView(1), lineView(2, { state: 'done' })]) };
    expect((await visitor.look()).body.match(/type="checkbox"/g)).toHaveLength(1);
    expect((await submit('decision=yes&line=2')).status).toBe(400);
  });

  test('says once above the lines what the payments of an account come to, and what is missing', async () => {
    const money = { direction: 'payment' as const, amount: sar(34500) };
    const desks = ['desk', 'other'].map((name) => ({ name, available: sar(50000), isActive: true }));

    const textWith = async (account: LineView['steps'][number]['account']) => {
      const lines = [1, 2].map((n) => lineView(n));
      const paid = lines.map((line) => ({ ...line, steps: line.steps.map((step) => ({ ...step, money, account })) }));
      desk.now = { view: planOf(paid) };
      return visible(await visitor.look());
    };

    const named = await textWith({ name: 'desk', listed: desks.slice(0, 1) });
    expect(named).toContain('WARNING: Account “desk” pays SAR 690.00: SAR 500.00 available, SAR 190.00 missing.');
    expect(named.match(/available/g)).toHaveLength(1);
    expect(await textWith({ listed: desks.slice(0, 1) })).toBe(named);

    expect(await textWith({ listed: desks })).toContain(
      'WARNING: An account of the agency pays SAR 690.00, and the airline chooses which: “desk”: SAR 500.00 available, SAR 190.00 missing; “other”: SAR 500.00 available, SAR 190.00 missing.',
    );
  });

  test('says in all, and of each line, what is given up', async () => {
    const losing = (n: number, kept?: ReturnType<typeof sar>) => {
      const { steps, ...line } = lineView(n);
      const money = { direction: 'refund' as const, amount: sar(0), givenUp: sar(10000) };
      return { ...line, steps: steps.map((step) => ({ ...step, money, estimate: { amount: sar(0), penalty: kept } })) };
    };

    const lines = [losing(1, sar(10000)), losing(2), lineView(3)];
    desk.now = { view: planOf(lines, { sums: sumByCurrency(lines.flatMap(({ steps }) => steps)) }) };
    const text = textOf(await visitor.look());
    expect(text).toContain('In all: pays nothing , gets back SAR 86.25 , gives up at most SAR 200.00 .');
    expect(text.match(/Gives up .*/g)).toEqual(['Gives up SAR 100.00 .', 'Gives up at most SAR 100.00 .']);
  });

  test('shows markup in titles and reasons as text', async () => {
    const evil = '</li><script>alert(1)</script>';
    const lines = [lineView(1, { title: evil, why: evil, reason: evil })];
    for (const state of ['asked', 'running'] as const) {
      desk.now = { view: planOf(lines, { state, leftOut: [{ title: evil, why: evil }] }) };
      expect((await visitor.look()).body).not.toContain('<script>');
    }
  });
});

describe('the form of a plan', () => {
  test('says in the terms of each act what it costs and brings back, and the same people and trip once', async () => {
    const [{ sections }] = lineView(1).steps as [LineView['steps'][number]];
    const more = [
      { kind: 'people', lines: ['Amal Haddad, adult'] },
      { kind: 'refund', lines: ['SAR 86.25 comes back.'] },
      { kind: 'note', lines: ['The airline keeps SAR 46.00.'] },
      { kind: 'computed', lines: ['Fee of SAR 46.00 a person.'] },
    ] as const;
    const [step] = lineView(1).steps.map((one) => ({ ...one, sections: [...sections, ...more] }));
    const twice = step === undefined ? [] : [step, step];
    desk.now = { view: planOf([lineView(1, { steps: twice })]) };
    const text = textOf(await visitor.look(), true);
    const times = (words: string) => text.split(words).length - 1;
    expect(['Amal Haddad, adult', 'Train HHR101'].map(times)).toEqual([1, 1]);
    expect(more.slice(1).map(({ lines: [line] }) => times(line))).toEqual([2, 2, 2]);
  });

  test('takes exactly the ticked lines with the yes, and a late second answer without an error', async () => {
    expect((await submit('decision=yes&line=1&line=3')).status).toBe(303);
    expect(desk.decided).toEqual([{ yes: true, ticked: [1, 3] }]);
    expect((await submit('decision=yes&line=2')).status).toBe(303);
    expect(headingOf(await visitor.look())).toMatch(/^In progress/);
  });

  test('takes a no whatever is ticked', async () => {
    expect((await submit('line=2&decision=no')).status).toBe(303);
    expect(desk.decided).toEqual([{ yes: false, ticked: [2] }]);
  });

  test('refuses a yes without a tick, and asks again', async () => {
    const refused = await submit('decision=yes');
    expect([refused.status, headingOf(refused)]).toEqual([422, 'You ticked nothing, so nothing was sent']);
    expect(visible(refused)).toContain('Tick what you approve, or decline all.');
    expect(refused.body).toContain(`href="${new URL(visitor.url).pathname}"`);
    expect(desk.decided).toEqual([]);
  });

  test('decides nothing where Enter was pressed on a tick', async () => {
    expect((await submit('decision=look&line=2')).status).toBe(303);
    expect(desk.decided).toEqual([]);
  });

  test('is refused with other fields, or the token of another page', async () => {
    const yes = 'decision=yes&line=';
    for (const wrong of [
      ...['4', '0', '01', '1&line=1', '1,2', 'all', '', '1&decision=no', '1&more=1'].map((line) => yes + line),
      ...['decision=maybe&line=1', 'line=1'],
    ]) {
      expect([wrong, (await submit(wrong)).status]).toEqual([wrong, 400]);
    }
    expect((await visitor.answer('yes', { body: `token=x&${yes}1` })).status).toBe(403);
    expect((await visitor.answer('stop', { token: 'x' })).status).toBe(403);
    expect([desk.decided, desk.stopped]).toEqual([[], []]);
  });
});

test('renews itself while it runs, unless it is stopped from that, and its plan can be stopped', async () => {
  await submit('decision=yes&line=1&line=2');
  desk.run('done', 'doing', 'not_ticked');
  const live = await visitor.look();
  expect(live.body).toMatch(/<meta http-equiv="refresh" content="2; url=\/approve\/question-1/);
  expect(live.body).not.toContain('checkbox');
  const still = await lookAt('?refresh=off');
  expect(still.body).not.toContain('http-equiv');
  expect(visible(still)).toContain('This page does not refresh by itself.');
  expect((await visitor.answer('stop')).status).toBe(303);
  expect(desk.stopped).toEqual(['pl_1']);
  desk.run('done', 'skipped', 'done');
  expect((await visitor.look()).body).not.toMatch(/http-equiv|<form/);
});

test('a question that a newer one of its plan replaced leads there, tells what became of its answer, and takes none', async () => {
  desk.now = { ...desk.now, question: 'question-2' };
  const { approval } = desk;
  desk.others.push({ ...approval, operationId: 'question-2' });
  const page = await visitor.look();
  const scenes: Record<string, string> = { 'a question that a newer one replaced': textOf(page) };
  expect(page.body).not.toMatch(/<form|checkbox|<button/);
  for (const fields of ['decision=yes&line=1', 'decision=no', 'decision=stop']) {
    expect((await submit(fields)).status).toBe(303);
  }
  expect([desk.decided, desk.stopped]).toEqual([[], []]);
  const href = /href="([^"]*question-2[^"]*)"/.exec(page.body)?.[1] ?? '';
  const newer = await enter(new URL(href, visitor.url).href);
  expect(newer.page.body).toContain('type="checkbox"');
  expect(newer.url).toContain('/approve/question-2/');
  for (const decision of ['granted', 'declined', 'void'] as const) {
    desk.approval = { ...approval, decision, ...(decision === 'granted' && { assurance: 'page' }) };
    scenes[`which was ${decision}`] = textOf(await visitor.look());
  }
  desk.others.length = 0;
  scenes['while the newer one cannot be found'] = textOf(await visitor.look());
  await expectGolden('page/plan-replaced', scenes);
});

const STOPPED = { decision: 'void', voidWhy: 'stopped' } as const;

test('a question that an upgrade ended says so, and takes no yes', async () => {
  desk.approval = { ...desk.approval, decision: 'void', voidWhy: 'upgraded' };
  desk.now = { view: planOf([moveLine(1, { state: 'not_begun' })], { state: 'withdrawn', isUpgraded: true }) };
  const page = await visitor.look();
  expect(headingOf(page)).toBe('An upgrade ended this question');
  expect(textOf(page)).toContain('Nothing was sent, and nothing will be.');
  expect(page.body).not.toMatch(/<form|checkbox|<button/);
  expect(desk.decided).toEqual([]);
});

test.each([
  ['replaced', 'A newer question replaced this one', 'Nothing was sent for this question, and nothing will be.'],
  ['withdrawn', 'This question was withdrawn', 'Nothing was done, and nothing will be.'],
] as const)('a question that was %s says so, and takes no yes', async (state, heading, words) => {
  const over = state === 'replaced' ? ({ decision: state, replacedBy: 'question-2' } as const) : STOPPED;
  const newer = { ...desk.approval, operationId: 'question-2', tool: 'pay_booking', part: undefined };
  desk.others.push(newer);
  desk.approval = { ...desk.approval, ...over };
  desk.now = { view: planOf([moveLine(1, { state: 'not_begun' })], { state }) };
  const page = await visitor.look();
  expect(headingOf(page)).toBe(heading);
  expect(textOf(page)).toContain(words);
  expect(page.body).not.toMatch(/<form|checkbox|<button/);
  expect(page.body.includes('/approve/question-2')).toBe(state === 'replaced');
  // Of a page that was open before: the person is led back here, and reads the same.
  expect((await submit('decision=yes&line=1')).status).toBe(303);
  expect(headingOf(await visitor.look())).toBe(heading);
  expect(desk.decided).toEqual([]);
});
