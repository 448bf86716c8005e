/**
 * A plan on the page: its question with a tick for each line, what the form may say, and its lines after the yes.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LINE_STATES } from '../../../src/approvals/plans/plan.ts';
import { releaseWords } from '../../../src/approvals/plans/release-words.ts';
import type { Approval } from '../../../src/approvals/ports.ts';
import { planPage, replacedPage } from '../../../src/server/approval-page/plan-page.ts';
import { enter, fetchPage, headingOf, type Visitor } from './support/page-client.ts';
import { lineView, moveLine, type PlanOnPage, planOf, planOnPage } from './support/plan-on-page.ts';

let desk: PlanOnPage;
let visitor: Visitor;

beforeEach(async () => {
  const leftOut = [{ title: 'Cancel booking: ABC999', why: 'it is cancelled already' }];
  desk = await planOnPage(planOf([moveLine(1), lineView(2), lineView(3)], { leftOut }));
  visitor = await enter(desk.page.addressFor(desk.approval));
});

afterEach(() => desk.page.close());

const textOf = (body: string) =>
  body
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#39;', "'");

const submit = (fields: string) => visitor.answer('yes', { body: `token=${visitor.token}&${fields}` });

describe('the question about a plan', () => {
  test('has the sums, a tick for each line that is not ticked, its money, its cautions and all of its terms', () => {
    const { body } = visitor.page;
    expect(headingOf(visitor.page)).toBe('Carry out these 3 lines');
    const text = textOf(body);
    expect(text).toContain('All lines together: SAR 345.00 is paid; about SAR 258.75 comes back.');
    expect(text).toContain('Cannot be undone: lines 1-3.');
    expect(text).toContain(
      '1. Move booking ABC101 to HHR105, Tue 1 Dec 12:00-14:10 (UTC+3) Pays SAR 345.00 About SAR 86.25',
    );
    expect(text).toContain('It may be paid already.');
    expect(text).toContain('All terms of line 3 Cancel every train of ABC103');
    expect(text).toContain('Not in this plan Cancel booking: ABC999: it is cancelled already');
    expect(body.match(/<input type="checkbox" name="line" value="\d">/g)).toHaveLength(3);
    expect(body).not.toMatch(/checkbox[^>]*checked/);
    expect(text.indexOf('No, do none of them')).toBeLessThan(text.indexOf('Yes, do the ticked lines'));
  });

  test('comes with all lines ticked where the person asks for that with its link', async () => {
    const all = await fetchPage(`${visitor.url}?ticks=all`, { headers: { cookie: visitor.cookie } });
    expect(all.body.match(/checkbox[^>]*checked/g)).toHaveLength(3);
    expect(textOf(all.body)).toContain('All lines are ticked. Tick none');
    expect(textOf(visitor.page.body)).toContain('A line is done only if you tick it. Tick all 3 lines');
  });

  test('says before and after the yes why a line is proposed', async () => {
    const reason = 'the airline changed it: train 101 on Tue 1 Dec was cancelled by the airline';
    desk.now = { view: planOf([lineView(1, { reason }), lineView(2)]) };
    const why =
      /Cancel booking: ABC101 Why: the airline changed it: train 101 on Tue 1 Dec was cancelled by the airline/;
    const asked = textOf((await visitor.look()).body);
    expect(asked).toMatch(why);
    expect(asked.match(/Why:/g)).toHaveLength(1);
    desk.run('done', 'waiting');
    desk.now = {
      view: { ...desk.now.view, lines: desk.now.view.lines.map((l, i) => ({ ...l, ...(i === 0 && { reason }) })) },
    };
    expect(textOf((await visitor.look()).body)).toMatch(why);
  });

  test('asks only for the lines that are open, and says why another is not asked', async () => {
    const done = lineView(2, { state: 'done' });
    const refused = lineView(3, { state: 'skipped', why: 'It is cancelled already.' });
    desk.now = { view: planOf([lineView(1), done, refused]) };
    const { body } = await visitor.look();
    expect(body.match(/type="checkbox"/g)).toHaveLength(1);
    expect(textOf(body)).toContain(
      'Not asked now 2. Cancel booking: ABC102: done 3. Cancel booking: ABC103: It is cancelled',
    );
    expect(textOf(body)).toContain('Cannot be undone: line 1.');
    expect((await submit('decision=yes&line=2')).status).toBe(400);
  });

  test('shows markup in titles and reasons as text', async () => {
    const evil = '</li><script>alert(1)</script>';
    desk.now = {
      view: planOf([lineView(1, { title: evil })], { leftOut: [{ title: evil, why: evil }] }),
    };
    expect((await visitor.look()).body).not.toContain('<script>');
    desk.run('skipped');
    const { view } = desk.now;
    desk.now = { view: { ...view, lines: view.lines.map((line) => ({ ...line, why: evil })) } };
    expect((await visitor.look()).body).not.toContain('<script>');
  });

  test('shows a person who cannot say yes alone neither ticks nor the yes', () => {
    const viewer = { name: 'Ann', id: 'os:ann', role: 'asker_alone' as const };
    const { approval, now } = desk;
    const shown = {
      environment: 'live' as const,
      approval,
      path: '/x',
      viewer,
      token: 't',
      now: Date.now(),
      url: '/x',
    };
    const body = planPage(now, shown) ?? '';
    expect(body).not.toMatch(/checkbox|value="yes"|ticks=all/);
    expect(body).toContain('1. Move booking ABC101');
    expect(body).toContain('another person must say yes');
  });

  test('leaves a plan that nobody asked, declined or answered in time to the page of every question', () => {
    const { approval } = desk;
    const shown = {
      environment: 'live' as const,
      approval,
      path: '/x',
      viewer: undefined,
      token: 't',
      now: 0,
      url: '/x',
    };
    for (const state of ['proposed', 'declined', 'lapsed'] as const) {
      expect(planPage({ view: planOf([], { state }) }, shown)).toBeUndefined();
    }
  });
});

describe('the form of a plan', () => {
  test('takes exactly the ticked lines with the yes', async () => {
    expect((await submit('decision=yes&line=1&line=3')).status).toBe(303);
    expect(desk.decided).toEqual([{ yes: true, ticked: [1, 3] }]);
  });

  test('takes a no whatever is ticked', async () => {
    expect((await submit('line=2&decision=no')).status).toBe(303);
    expect(desk.decided).toEqual([{ yes: false, ticked: [2] }]);
  });

  test('refuses a yes without a ticked line, and asks again', async () => {
    const refused = await submit('decision=yes');
    expect([refused.status, headingOf(refused)]).toEqual([422, headingOf(visitor.page)]);
    expect(textOf(refused.body)).toContain('No line is ticked: nothing was sent.');
    expect(desk.decided).toEqual([]);
  });

  test('shows the page again with its ticks where Enter was pressed on one, and decides nothing', async () => {
    const again = await submit('decision=look&line=2');
    expect(again.status).toBe(200);
    expect(again.body.match(/value="\d" checked/g)).toEqual(['value="2" checked']);
    expect(desk.decided).toEqual([]);
    await submit('decision=yes&line=1');
    expect((await submit('decision=look&line=2')).status).toBe(200);
    expect((await submit('decision=look')).body).toContain('Being carried out');
    desk.now = { view: planOf([], { state: 'declined' }) };
    expect((await submit('decision=look')).status).toBe(303);
  });

  test.each([
    'decision=yes&line=4',
    'decision=yes&line=0',
    'decision=yes&line=01',
    'decision=yes&line=1&line=1',
    'decision=yes&line=1,2',
    'decision=yes&line=all',
    'decision=yes&line=',
    'decision=yes&line=1&decision=no',
    'decision=maybe&line=1',
    'decision=yes&line=1&more=1',
    'line=1',
  ])('refuses %s', async (fields) => {
    expect((await submit(fields)).status).toBe(400);
    expect(desk.decided).toEqual([]);
  });

  test('refuses the token of another page', async () => {
    expect((await visitor.answer('yes', { body: 'token=x&decision=yes&line=1' })).status).toBe(403);
    expect((await visitor.answer('stop', { token: 'x' })).status).toBe(403);
    expect([desk.decided, desk.stopped]).toEqual([[], []]);
  });
});

describe('a plan after the yes', () => {
  test('shows each line with its state in words, renews itself while it runs, and can be stopped', async () => {
    await submit('decision=yes&line=1&line=2');
    desk.run('done', 'doing', 'not_ticked');
    const live = await visitor.look();
    expect(headingOf(live)).toBe('Being carried out: 1 of 2 lines is done');
    const text = textOf(live.body);
    expect(text).toContain('So far SAR 345.00 was paid, and SAR 80.00 came back.');
    expect(text).toContain('SAR 345.00 was paid SAR 80.00 came back');
    expect(text).toContain('2. Cancel booking: ABC102 As asked: about SAR 86.25 comes back');
    expect(text).toContain('1 done, 1 being done, 1 left out by the person');
    expect(live.body).toMatch(/<meta http-equiv="refresh" content="4; url=\/approve\/question-1/);
    expect(live.body).not.toContain('checkbox');
    const still = await fetchPage(`${visitor.url}?refresh=off`, { headers: { cookie: visitor.cookie } });
    expect(still.body).not.toContain('http-equiv');
    expect(textOf(still.body)).toContain('This page does not renew itself.');
    expect((await visitor.answer('stop')).status).toBe(303);
    expect(desk.stopped).toEqual(['pl_1']);
  });

  test('says of every state what it means', async () => {
    const why = 'The terms changed.';
    const lines = LINE_STATES.map((state, i) => lineView(i + 1, { state, ...(state === 'skipped' && { why }) }));
    desk.now = { view: planOf(lines, { state: 'running' }) };
    const text = textOf((await visitor.look()).body);
    for (const words of [
      'Waits its turn',
      'Not done The terms changed.',
      'Sent, outcome not known yet',
      'Waits for a yes of its own',
      'Not begun',
      'A person must check',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('names the acts of a line that stand differently', async () => {
    const line = moveLine(1, { state: 'doing' });
    const steps = line.steps.map((step, i) => ({ ...step, state: i === 0 ? ('done' as const) : ('doing' as const) }));
    desk.now = { view: planOf([{ ...line, steps }], { state: 'running' }) };
    expect(textOf((await visitor.look()).body)).toContain('Pay SAR 345.00: done');
  });

  test('neither renews itself nor can be stopped once it is over, and adds up what the journal proves', async () => {
    desk.run('done', 'skipped', 'done');
    const [, , third] = desk.now.view.lines;
    const silent = third?.steps.map((step) => ({ ...step, moved: { unstated: 'refund' as const } }));
    const { view } = desk.now;
    desk.now = { view: { ...view, lines: [...view.lines.slice(0, 2), { ...third, steps: silent } as never] } };
    const over = await visitor.look();
    expect(headingOf(over)).toBe('Carried out: 2 of 3 lines are done');
    expect(over.body).not.toMatch(/http-equiv|<form/);
    const text = textOf(over.body);
    expect(text).toContain('In all SAR 345.00 was paid, and SAR 80.00 came back.');
    expect(text).toContain('Of one act the airline did not state what moved.');
    expect(text).toContain('3. Cancel booking: ABC103 The airline did not state what came back');
    desk.now = { view: { ...desk.now.view, state: 'stopped' } };
    expect(headingOf(await visitor.look())).toBe('Stopped: 2 of 3 lines are done');
  });

  test('takes a late second answer without an error, and shows what became of the first', async () => {
    await submit('decision=yes&line=1');
    expect((await submit('decision=yes&line=2')).status).toBe(303);
    expect(headingOf(await visitor.look())).toMatch(/^Being carried out/);
  });
});

describe('a question that a newer one of its plan replaced', () => {
  const asked = (over: Partial<Approval> = {}): Approval => ({ ...desk.approval, operationId: 'question-2', ...over });

  test('says so, leads to the newer one, and takes no answer', async () => {
    desk.now = { ...desk.now, question: 'question-2' };
    desk.others.push(asked());
    const page = await visitor.look();
    expect(headingOf(page)).toBe('A newer question replaced this one');
    expect(textOf(page.body)).toContain('Nothing was sent by it. Open the newer question');
    expect(page.body).not.toMatch(/<form|checkbox|<button/);
    for (const fields of ['decision=yes&line=1', 'decision=no', 'decision=stop']) {
      expect((await submit(fields)).status).toBe(303);
    }
    expect([desk.decided, desk.stopped]).toEqual([[], []]);
    const href = /href="([^"]*question-2[^"]*)"/.exec(page.body)?.[1] ?? '';
    const newer = await enter(new URL(href, visitor.url).href);
    expect(newer.page.body).toContain('type="checkbox"');
    expect(newer.url).toContain('/approve/question-2/');
  });

  test('tells what became of its own answer', async () => {
    desk.now = { ...desk.now, question: 'question-2' };
    const shown = { environment: 'live' as const, path: '/x', viewer: undefined, now: Date.now(), newer: undefined };
    const page = (over: Partial<Approval>) => textOf(replacedPage({ ...shown, approval: asked(over) }));
    expect(page({ decision: 'declined' })).toMatch(/You said no .*Nothing was sent, and nothing is changed\./);
    expect(page({ decision: 'granted' })).toContain('What was begun by your yes is on the newer page.');
    expect(page({ decision: 'void' })).toContain('A newer question replaced this one');
    expect(page({ decision: 'void' })).not.toContain('Open the newer question');
    desk.others.length = 0;
    expect((await visitor.look()).body).not.toContain('Open the newer question');
  });
});

test('a line that waits for a yes of its own stands first, with a link to its question', async () => {
  const again = moveLine(3, { state: 'asks_again' });
  const steps = again.steps.map((step, i) =>
    i === 0
      ? { ...step, state: 'done' as const, why: 'Booked as XYZ789.' }
      : { ...step, state: 'asks_again' as const, operationId: 'alone-3' },
  );
  const gone = lineView(4, { state: 'asks_again' });
  const lines = [lineView(1, { state: 'done' }), lineView(2, { state: 'waiting' }), { ...again, steps }, gone];
  desk.now = { view: planOf(lines, { state: 'running' }) };
  const part = { plan: 'pl_1', question: 'question-1', line: 3, step: 1, alone: true as const };
  desk.others.push({ ...desk.approval, operationId: 'alone-3', act: 'Cancel every train of ABC103', part });
  const live = await visitor.look();
  const text = textOf(live.body);
  expect(text.indexOf('3. Move booking ABC103')).toBeLessThan(text.indexOf('1. Cancel booking: ABC101'));
  expect(text).toContain('Waits for a yes of its own Answer its question');
  expect(live.body.match(/Answer its question/g)).toHaveLength(1);
  const href = /href="([^"]*alone-3[^"]*)"/.exec(live.body)?.[1] ?? '';
  const own = await enter(new URL(href, visitor.url).href);
  expect(headingOf(own.page)).toBe('Cancel every train of ABC103');
  expect(textOf(own.page.body)).toContain(
    'Line 3 of plan pl_1. Its terms changed after the step before it was paid, so it is asked by itself. ' +
      'Done: Pay SAR 345.00 (Booked as XYZ789).',
  );
});

test('a line that moves a booking says that its hold is released where it cannot be paid', async () => {
  const pay = { tool: 'pay_booking', args: {} };
  const lines = [
    { title: '1', steps: [pay, { ...pay, insteadOf: 0 }] },
    { title: '2', steps: [pay] },
  ];
  desk.now = { ...desk.now, question: 'question-1', releases: releaseWords(lines) };
  const text = textOf((await visitor.look()).body);
  expect(text.split('If the new booking cannot be paid, its hold is released; that is free.')).toHaveLength(2);
  const { view } = desk.now;
  const rest = view.lines.map((line) => ({ ...line, steps: line.steps.slice(-1) }));
  desk.now = { ...desk.now, view: { ...view, lines: rest } };
  expect((await visitor.look()).body).not.toContain('its hold is released');
});
