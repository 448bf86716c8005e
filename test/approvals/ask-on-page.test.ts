/**
 * A question on the approval page, or in a terminal.
 */
import { beforeEach, expect, test } from 'vitest';
import { CallHarness, idOf, page, refusal, replacing, statusOf, textOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
  desk.set({ approval: 'page', page: page() });
});

test('opens the approval page on this machine, and gives the caller its public address', async () => {
  expect((await desk.result()).text).toContain('A page has opened');
  const publicUrl = 'https://desk.example/approve/1';
  desk.set({ page: page({ publicUrl }) });
  await desk.nextBooking();
  const asked = await desk.result();
  expect(asked.structured.approval).toMatchObject({ url: publicUrl });
  expect(asked.text).toContain(`must open ${publicUrl}, sign in`);
  await desk.nextBooking();
  expect(await desk.call({ canOpenUrls: true })).toMatchObject({
    kind: 'result',
    structured: { approval: { url: publicUrl } },
  });
});

test("does not take a client's accept of the page address as a yes", async () => {
  desk.set({ page: page({ url: 'http://127.0.0.1/secret' }, false) });
  const asked = await desk.call({ canOpenUrls: true });
  expect(asked).toMatchObject({
    ...{ kind: 'ask_url', url: 'http://127.0.0.1/secret' },
    message: expect.stringMatching(
      /^Please decide on the page\. The terms:\nPay SAR 172\.50 for booking ABC123\nRUH-JED\nAsked by .*\nAnswer by /,
    ),
  });
  const opened = desk.answer(idOf(asked), { action: 'accept' }, { canOpenUrls: true });
  const waited = await desk.during(2_000, opened);
  expect(statusOf(waited)).toBe('approval_required');
  expect(textOf(waited)).toContain('A page is open');
  expect(JSON.stringify(waited)).not.toContain('secret');
});

test.each<[object | undefined, string]>([
  [{ action: 'accept' }, 'A page is open'],
  [{ action: 'decline' }, 'E_APPROVAL_DECLINED'],
  [{ action: 'cancel' }, 'a page will ask'],
  [{}, 'a page will ask'],
])('reads the answer %j to the address of a page', async (raw, meaning) => {
  desk.set({ page: page({ url: 'http://127.0.0.1/secret' }, false) });
  const handle = idOf(await desk.call({ canOpenUrls: true }));
  const answer = desk.during(2_000, desk.answer(handle, raw, { canOpenUrls: true }));
  expect(await answer.then(textOf, ({ code }) => code)).toContain(meaning);
});

test.each<[string, Partial<CallHarness['settings']>, string, number]>([
  ['a terminal, which opens nothing', { canUseTerminal: true }, 'Or they run `fareclerk approve ', 0],
  ['a page with sign-in', {}, 'Or they open https://desk.example/1, sign in and decide.', 1],
])(
  'says in both halves of a dialog that was closed where else a person answers: %s',
  async (_, settings, said, opens) => {
    const shown: boolean[] = [];
    const open = async (...[, client]: [object, string]) => {
      shown.push(client === 'opens_itself');
      return { opened: false, publicUrl: 'https://desk.example/1' };
    };
    desk.set({ approval: 'auto', page: { canOpen: () => true, open }, ...settings });
    const { handle } = await desk.ask();
    const { text, structured } = (await desk.answer(handle, { action: 'cancel' })) as Awaited<
      ReturnType<typeof desk.result>
    >;
    expect([text.includes(said), String(structured.next).includes(said), shown]).toEqual([
      true,
      true,
      Array(opens).fill(false),
    ]);
    expect((await desk.decide(true)).kind).toBe('done');
  },
);

test('names the command for a terminal beside a page that opened here, before and after waiting', async () => {
  const asked = await desk.result();
  const waited = (await desk.during(2_000, desk.result())) as typeof asked;
  const line = `If they see none, they run \`fareclerk approve ${asked.structured.operation_id}\` in a terminal there.`;
  for (const { text, structured, meta } of [asked, waited]) {
    expect([text.includes(line), String(structured.next).includes(line)]).toEqual([true, true]);
    expect(meta?.question).toMatchObject({ way: 'page', command: expect.stringContaining('fareclerk approve') });
  }
});

test("never shows the page's secret to a client that opens no URLs", async () => {
  desk.set({ page: page({ url: 'http://127.0.0.1/secret' }) });
  expect(JSON.stringify(await desk.result())).not.toContain('secret');
});

test.each<[Partial<CallHarness['settings']>, string, string]>([
  [{ page: page({ computer: 'ann-laptop' }) }, 'A page has opened', 'A page is open'],
  [
    { page: page({ publicUrl: 'https://desk.example/1' }) },
    'The person must open https://desk.example/1',
    'must open https',
  ],
  [
    { page: page({ opened: false }), canUseTerminal: true },
    'must run `fareclerk approve',
    'must run `fareclerk approve',
  ],
])('says after waiting that nobody has decided yet, and where the question is: %j', async (settings, first, later) => {
  desk.set(settings);
  const asked = await desk.result();
  expect(asked.text).toContain(first);
  expect(asked.text).not.toContain('Nobody has decided');
  for (const again of [desk.result({}, idOf(asked)), desk.result()]) {
    const { text } = (await desk.during(2_000, again)) as typeof asked;
    expect(text).toContain('APPROVAL REQUIRED. Nothing was sent. Nobody has decided yet.');
    expect(text).toContain(later);
    expect(text.includes('in a browser on the computer ann-laptop,')).toBe(first === 'A page has opened');
  }
});

test('returns the outcome to a waiting call as soon as the person decides', async () => {
  desk.set({ waitMs: 60_000 });
  const waiting = desk.result({}, idOf(await desk.result()));
  await desk.clock.pass(500);
  expect((await desk.decide(true)).kind).toBe('done');
  expect(statusOf(await desk.during(500, waiting))).toBe('done');
  expect(desk.sends).toBe(1);
});

test('carries out a yes from a waiting call if it is not in the journal after two seconds', async () => {
  desk.set({ waitMs: 60_000 });
  const waiting = desk.result({}, idOf(await desk.result()));
  await desk.clock.pass(500);
  await desk.granted();
  await desk.clock.pass(1_900);
  expect(desk.sends).toBe(0);
  expect(statusOf(await desk.during(1_000, waiting))).toBe('done');
});

test('carries out a yes that has no time of decision', async () => {
  const asked = await desk.result();
  const pending = await desk.waiting();
  const get = replacing(desk.state.approvals, 'get').mockResolvedValueOnce(pending);
  get.mockResolvedValue(pending && { ...pending, decision: 'granted' });
  expect(statusOf(await desk.result({}, idOf(asked)))).toBe('done');
});

test("ends a waiting call with the person's no", async () => {
  const waiting = desk.result({}, idOf(await desk.result()));
  await desk.clock.pass(100);
  await desk.decide(false);
  expect(await refusal(desk.during(500, waiting))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
});

test('stops waiting when the caller leaves or the approval is lost', async () => {
  const asked = await desk.result();
  expect(statusOf(await desk.result({ signal: AbortSignal.abort() }, idOf(asked)))).toBe('approval_required');
  const pending = await desk.waiting();
  replacing(desk.state.approvals, 'get').mockResolvedValueOnce(pending).mockResolvedValue(undefined);
  expect(statusOf(await desk.during(2_000, desk.result({}, idOf(asked))))).toBe('approval_required');
});

test('waits 25 seconds for the person by default', async () => {
  const { waitMs: _, ...settings } = desk.settings;
  desk.settings = settings;
  let ended = false;
  const waiting = desk.result({}, idOf(await desk.result())).finally(() => {
    ended = true;
  });
  await desk.clock.pass(24_000);
  expect(ended).toBe(false);
  expect(statusOf(await desk.during(1_500, waiting))).toBe('approval_required');
});
