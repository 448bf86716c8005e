/** What a plan would move, in the words of its question and of its lines: sums, limits and what is not known. */
import { expect, test } from 'vitest';
import { lineMoney, movedTexts } from '../../src/plans/plan-money.ts';
import { carryOutWords, finalLines, planOutcome, rangeWords, shownAct } from '../../src/plans/plan-words.ts';
import { propose } from '../../src/plans/propose.ts';
import { listed, type Terms } from '../approvals/harness.ts';
import { expectGolden } from '../support/golden.ts';
import { ANN, type Ask, cancelLine, moveLine, PlanHarness, payLine, type Result, SAR } from './plan-harness.ts';

type Moves = Pick<Terms, 'estimate'> & { money?: Terms['money'] | undefined };
type Money = NonNullable<Terms['money']>;
const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const pays = (amount?: ReturnType<typeof SAR>, isUpperBound?: true): Moves => ({
  money: { direction: 'payment', ...(amount && { amount }), ...(isUpperBound && { isUpperBound }) },
});
const returns = (amount?: ReturnType<typeof SAR>, estimate: object = {}): Moves => ({
  money: { direction: 'refund', ...(amount && { amount }) },
  estimate: estimate as NonNullable<Terms['estimate']>,
});
const between = (atLeast: number, atMost: number) => ({ bounds: { atLeast: SAR(atLeast), atMost: SAR(atMost) } });
const WORDS_ONLY = { ...between(0, 90), rule: 'The airline sent words only.' };

test('adds up what is paid and comes back, and says what is not known', async () => {
  const scenes: Record<string, string> = {};
  const scene = async (title: string, ...moves: Moves[]) => {
    const harness = await PlanHarness.open();
    const locators = harness.make(moves.length);
    harness.over = (locator) =>
      ({ estimate: undefined as never, ...moves[locators.indexOf(locator)] }) as Partial<Terms>;
    const { id } = await harness.propose(locators.map(cancelLine));
    const question = (await harness.run(id, { canElicit: true })) as Ask;
    const kept = (await harness.state.approvals.waiting(harness.clock.now())).find(({ part }) => part?.line === 0);
    const carried = kept?.carried as { operation?: Partial<Money> } | undefined;
    const { direction = 'nothing', amount, isUpperBound, givenUp } = carried?.operation ?? {};
    const lines = (await harness.view(id)).lines.map((line) => `${line.n}. ${lineMoney(line).join(', ') || '-'}`);
    const sumOf = (sum: Money['amount']) => (sum ? `${sum.currency} ${sum.minor}` : 'unknown');
    const forPeople = givenUp ? `; for the page and a second person: ${sumOf(givenUp)}` : '';
    const stake = `At stake, for limits: ${direction}${isUpperBound ? ', at most' : ''} ${sumOf(amount)}${forPeople}`;
    const [, ...sums] = question.message.slice(0, question.message.indexOf('\n1. ')).split('\n');
    scenes[title] = [question.form.properties.decision.enum[1], ...sums, ...lines, stake].join('\n');
  };
  const back = (minor: number) => returns(SAR(100), { amount: SAR(minor) });
  await scene('no money', { money: undefined });
  await scene('a payment', pays(SAR(100)));
  await scene('a payment and a refund', pays(SAR(100)), back(40));
  await scene('at most', pays(SAR(100), true), returns(SAR(100), between(10, 90)));
  await scene('two currencies', pays(SAR(100)), pays(EUR(5)), back(40));
  await scene('what comes back is not known', returns(SAR(100)));
  await scene('no estimate', { money: { direction: 'refund', amount: SAR(100) } });
  await scene('nothing comes back', back(0));
  await scene('bounds, and an estimate', back(40), returns(SAR(100), between(10, 90)));
  await scene('words of the airline only', returns(SAR(100), WORDS_ONLY));
  const only = (minor: number) => ({ onCondition: SAR(minor), conditions: [{ says: 'Health reasons only' }] });
  const onCondition = (minor: number) => returns(SAR(100), { amount: SAR(minor), ...only(minor) });
  await scene('a condition', onCondition(40));
  await scene('a condition of a part', back(40), onCondition(30));
  await scene('a condition of a part, in bounds', back(40), returns(SAR(100), { ...between(10, 90), ...only(90) }));
  const inBounds = returns(SAR(100), { ...between(0, 90), ...only(90) });
  await scene('a condition of what may come back, and an unknown refund', back(40), inBounds, returns());
  await scene('a condition of what comes back at least, and an unknown refund', back(40), onCondition(30), returns());
  await scene('a condition of what does not come back', onCondition(0));
  await scene('bounds that begin with nothing', returns(SAR(100), between(0, 90)), returns(SAR(50), between(0, 50)));
  await scene('amounts that are not known', pays(SAR(100)), pays(), returns());
  await scene('only unknown amounts', pays(), returns());
  await scene('a refund, and an unknown payment', back(40), pays());
  await scene('a refund, and an unknown refund', back(40), returns());
  await scene('bounds, and an unknown refund', returns(SAR(100), between(10, 90)), returns());
  const loses = (backMinor: number, lost: ReturnType<typeof SAR>, kept?: number): Moves => ({
    money: { direction: 'refund', amount: SAR(backMinor), givenUp: lost },
    estimate: { rule: '', amount: SAR(backMinor), ...(kept !== undefined && { penalty: SAR(kept) }) },
  });
  await scene('all is given up, of each', loses(0, SAR(70), 70), loses(0, SAR(50), 50));
  await scene(
    'more comes back than is given up, and the other way round',
    loses(40, SAR(30), 30),
    loses(10, SAR(60), 60),
  );
  await scene('at most so much is given up, beside a payment', loses(40, SAR(70), 30), pays(SAR(100)));
  await scene('something is given up in two currencies', loses(40, SAR(70), 70), {
    money: { direction: 'refund', amount: EUR(0), givenUp: EUR(50) },
    estimate: { rule: '', amount: EUR(0) },
  });
  await scene('something is given up in another currency than comes back', loses(40, EUR(70)));
  await expectGolden('questions/run_plan', { 'the sums of a plan, by what its lines move': listed(scenes) });
});

test('says how many bookings each act is about', () => {
  const line = (...tools: string[]) => ({ steps: tools.map((tool) => ({ tool })), isRest: false });
  const move = line('create_booking', 'pay_booking', 'cancel_segment');
  const rest = { ...move, isRest: true };
  expect(carryOutWords([move, line('cancel_booking'), move, line('assign_seats')])).toBe(
    'Move 2, cancel 1, assign seats of 1 bookings',
  );
  expect(carryOutWords([line('cancel_booking')])).toBe('Cancel this booking');
  expect(carryOutWords([line('change_names')])).toBe('Change names of this booking');
  expect(carryOutWords([line('rebook_segment', 'rebook_segment')])).toBe('Rebook segment of this booking');
  expect(carryOutWords([rest, rest, line('cancel_booking')])).toBe('Finish 2, cancel 1 bookings');
});

test('says what the lines of a plan would move, and which are final', async () => {
  const harness = await PlanHarness.open();
  const [old = '', unpaid = ''] = [...harness.make(1), ...harness.make(1, { paid: false })];
  const lines = [cancelLine(old), payLine(unpaid), moveLine(old)];
  const { id, lines: proposed } = await harness.propose(lines);
  const [back, paid] = ['about SAR 90.00 comes back', 'pays SAR 100.00'];
  expect(proposed.map(lineMoney)).toEqual([[back], [paid], [paid, back]]);
  await harness.ask(id);
  const view = await harness.view(id);
  expect(finalLines(view)).toEqual([1, 3]);
});

test('says what a step moved, as the airline states it, and adds it up', async () => {
  const rebooked = { kind: 'rebook_segment', earlierPayments: [] };
  const money = { charge: { amount: SAR(500) }, refund: { amount: SAR(100) } };
  const text = async (...done: object[]) => {
    const harness = await PlanHarness.open();
    const steps = done.map((operation): [object, object] => [{}, { state: 'succeeded', ...operation }]);
    await harness.stored(
      steps.map(() => ({})),
      steps,
    );
    const { text: shown } = (await harness.run('pl_1', { signal: AbortSignal.abort() })) as Result;
    const [first = '', ...lines] = shown.split('\n');
    const [, ...totals] = first.split(/ (?=In all |So far |The airline )/);
    return [...lines.filter((line) => !line.startsWith('Next: ')), ...totals];
  };
  expect(await text({})).toEqual(['1. Move: done']);
  const refunded = { direction: 'refund', outcome: { refund: money.refund } };
  expect(await text(refunded, refunded)).toEqual([
    '1. Move: done, SAR 2.00 came back',
    'In all nothing was paid, and SAR 2.00 came back.',
  ]);
  expect(await text({ subject: rebooked, outcome: money })).toEqual([
    '1. Move: done, SAR 5.00 was paid, SAR 1.00 came back',
    'In all SAR 5.00 was paid, and SAR 1.00 came back.',
  ]);
  expect(await text(refunded, { direction: 'payment', amount: undefined })).toEqual([
    '1. Move: done, SAR 1.00 came back, the airline did not state what it charged',
    'In all nothing was paid, and SAR 1.00 came back.',
    'The airline stated no amount for one step.',
  ]);
  // Its amount is a limit.
  const limit = { direction: 'payment', subject: rebooked };
  expect(await text({ ...limit, outcome: { charge: money.charge } })).toContain('1. Move: done, SAR 5.00 was paid');
  expect(await text(limit)).toEqual([
    '1. Move: done, the airline did not state what it charged',
    'The airline stated no amount for one step.',
  ]);
  expect(
    await text({ direction: 'refund' }, { direction: 'refund' }, { direction: 'payment' }, { state: 'in_doubt' }),
  ).toEqual([
    '1. Move: sent, outcome not known yet, SAR 172.50 was paid, the airline did not state what came back. Done: cancel_booking; cancel_booking; cancel_booking. Sent, but the outcome is not known yet.',
    'So far SAR 172.50 was paid, and nothing came back.',
    'The airline stated no amount for 2 steps.',
  ]);
});

test('warns of each payment that was charged another way than the approved one, in the order of the lines', async () => {
  const harness = await PlanHarness.open();
  const subject = { kind: 'pay', amount: SAR(17_250), coupons: 1 } as const;
  const paid = (charged: string) =>
    [{}, { state: 'succeeded', subject, facts: { paymentType: 'external' }, outcome: { charged: [charged] } }] as const;
  await harness.stored([{}, {}, {}], [paid('4'), paid('32'), paid('4')]);

  const { structured } = (await harness.run('pl_1', { signal: AbortSignal.abort() })) as Result;

  const otherWay =
    'The airline charged another way: approved external, the receipt says account. Ask the airline who pays.';
  expect(structured.warnings).toEqual([`Booking op0: ${otherWay}`, `Booking op2: ${otherWay}`]);
});

test('says the same on the page, of each act of a line', async () => {
  const harness = await PlanHarness.open();
  const refund = { amount: SAR(100) };
  const paid = [{}, { state: 'succeeded', direction: 'payment' }] as const;
  await harness.stored([{}, {}], [paid, [{}, { state: 'succeeded', direction: 'refund', outcome: { refund } }]]);
  expect(planOutcome(await harness.view('pl_1')).lines).toEqual([
    '1. Move: done, SAR 172.50 was paid, SAR 1.00 came back',
    'In all SAR 172.50 was paid, and SAR 1.00 came back.',
  ]);
});

test('names what is not in the plan, and no operation before there is one', async () => {
  const harness = await PlanHarness.open();
  const leftOut = [{ title: 'Cancel booking B9', why: 'It has departed.' }];
  const { id } = await propose(harness.planner, { caller: ANN }, { lines: harness.make(1).map(cancelLine), leftOut });
  const stopped = (await harness.run(id, {}, undefined, { stop: true })) as Result;
  expect(stopped.text).toContain('Left out: Cancel booking B9: It has departed.');
  expect(stopped.structured.plan).toMatchObject({ left_out: leftOut });
  expect(stopped.meta).toBeUndefined();
});

test('joins neighbours to a range', () => {
  expect([rangeWords([]), rangeWords([1, 2, 3, 5, 7, 8])]).toEqual(['', '1-3, 5, 7-8']);
});

test('a booking that is made in place of another is named so, and a repeat by its terms', () => {
  const act = { verb: 'Make', object: 'another booking of the same trip' };
  const made = { tool: 'create_booking', act };
  const alone = { steps: [{ tool: 'create_booking' }] };
  const move = { steps: [...alone.steps, { tool: 'pay_booking', locatorOf: 0 }, { tool: 'cancel_booking' }] };
  expect(shownAct(made, move)).toEqual({ verb: 'Book', object: 'the new trip' });
  expect(shownAct(made, alone)).toBe(act);
  expect(shownAct({ tool: 'pay_booking', act: { verb: 'Pay' } }, move)).toEqual({ verb: 'Pay' });
});

test('sums what the journal proves in parts, and says of how many acts it proves no amount', () => {
  const [paid, unstated] = [{ moved: { paid: SAR(100) } }, { moved: { unstated: 'charge' as const } }];
  expect(movedTexts([])).toEqual([]);
  expect(movedTexts([paid, paid])).toEqual(['SAR 2.00 paid', 'nothing came back']);
  expect(movedTexts([unstated])).toEqual(['the airline stated no amount for one step']);
  expect(movedTexts([unstated, unstated])).toEqual(['the airline stated no amount for 2 steps']);
});
