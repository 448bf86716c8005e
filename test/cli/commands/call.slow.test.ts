/**
 * One-shot calls in the sandbox: real sockets, a real store, each command a start of its own on the same state folder.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/addresses/start.ts';
import { READ } from '../../campaigns/support/acts.ts';
import { startRelay } from '../../campaigns/support/relay.ts';
import { enterDetails, newTraveller } from '../../support/details.ts';
import { CONTACT, dateIn } from '../../support/people.ts';
import { call, heldIn, LIVE, openState, payment } from '../desk.ts';
import { freshState, type Person, ran, screen, temporary } from '../screen.ts';

const day = (after: number): string => dateIn(Date.now(), after);

/** A call with `key=value` words. */
const typed = (env: Record<string, string>, words: readonly string[], person?: Person) =>
  ran(env, ['call', ...words], person);

describe('fareclerk call', () => {
  it('prints JSON, or text with --text, and exits 1 on a tool error', async () => {
    const env = freshState();
    const found = await call(env, 'list_routes', { from: 'QCA' });
    expect([found.code, found.result.environment, found.stderr]).toEqual([
      0,
      'sandbox',
      expect.stringMatching(/^Airline: .*\n$/),
    ]);
    const text = await typed(env, ['list_routes', 'from=QCA', '--text']);
    expect([text.code, text.stdout]).toEqual([0, expect.stringMatching(/^\[sandbox\] /)]);
    expect(await call(env, 'search_fares', { legz: [] })).toMatchObject({
      code: 1,
      result: { error: { code: 'E_INPUT' } },
    });
  });
});

it('logs in once for twenty calls in a row, each a start of its own', async () => {
  const sandbox = await startSandbox();
  const relay = await startRelay(sandbox.settings);
  try {
    const env = { ...relay.settings, ...freshState() };
    for (let n = 0; n < 20; n++)
      expect((await typed(env, ['read_booking', 'locator=ZZZZZ9'])).stdout).toContain('E_NOT_FOUND');
    expect([relay.times('token'), relay.times(READ)]).toEqual([1, 20]);
  } finally {
    await relay.close();
    await sandbox.close();
  }
});

test.skipIf(process.platform === 'win32')('a start names a settings file that every user can read', async () => {
  const env = freshState();
  const file = join(temporary('open'), 'fareclerk.env');
  writeFileSync(file, 'FARECLERK_LOG_LEVEL=warn\n', { mode: 0o644 });
  chmodSync(file, 0o644);
  const { code, stderr } = await typed({ ...env, FARECLERK_SETTINGS_FILE: file }, ['list_routes']);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`can read ${file}. Run \`chmod 600\` on it.`)]);
});

describe('the approval of a call', () => {
  it('takes a typed locator as yes and a typed no as no', async () => {
    const env = freshState();
    const locator = await heldIn(env);
    const no = await call(env, 'pay_booking', payment(locator), [], { types: ['no'] });
    expect(no).toMatchObject({ code: 1, result: { error: { code: 'E_APPROVAL_DECLINED' } } });
    expect(no.shown).toMatch(new RegExp(`Pay SAR [\\d,.]+\\? Type ${locator}`));
    const yes = await call(env, 'pay_booking', payment(locator), [], { types: [locator.toLowerCase()] });
    expect(yes).toMatchObject({ code: 0, result: { booking: { locator, state: 'ticketed' } } });
    const [last] = (await ran(env, ['journal'])).json();
    expect(last).toMatchObject({ tool: 'pay_booking', state: 'succeeded', assurance: 'page' });
  });

  it('keeps the approval pending if the person leaves without an answer', async () => {
    const env = freshState();
    const locator = await heldIn(env);
    const left = await call(env, 'pay_booking', payment(locator), [], { types: ['\u0003'] });
    expect(left).toMatchObject({ code: 1, result: { status: 'approval_required' } });
    expect(left.stderr).toContain('Not answered. Nothing was decided, and nothing was sent. `');
    const { operation_id: id, approval } = left.result;
    expect((await ran(env, ['approve', id], { types: [locator] })).code).toBe(0);
    const again = await call(env, 'pay_booking', { ...payment(locator), approval_id: approval.id });
    expect(again.result).toMatchObject({ status: 'done', _meta: { operation_id: id } });
  });

  it('records no person as approver with --yes, even if the settings require the page', async () => {
    const env = { ...freshState(), FARECLERK_APPROVAL: 'page', FARECLERK_PAGE_ABOVE: '1' };
    const paid = await call(env, 'pay_booking', payment(await heldIn(env)), ['--yes']);
    expect(paid).toMatchObject({ code: 0, result: { status: 'done', booking: { state: 'ticketed' } } });
    const listed = (await ran(env, ['journal', 'list', '--limit', '1'])).json();
    expect(listed).toMatchObject([{ tool: 'pay_booking', assurance: 'caller_confirmed' }]);
    const refused = await ran({ ...freshState(), ...LIVE }, ['call', 'pay_booking', '{}', '--yes']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('in the sandbox only') });
  });

  it('sends nothing without a keyboard, and lets a second call continue', async () => {
    const env = freshState();
    const pay = payment(await heldIn(env));
    const asked = await call(env, 'pay_booking', pay);
    expect(asked).toMatchObject({ code: 0, result: { status: 'approval_required' } });
    const paid = await call(env, 'pay_booking', { ...pay, approval_id: asked.result.approval.id });
    expect(paid).toMatchObject({ code: 0, result: { status: 'done' } });
    // The tickets' links name another port in each process.
    const contact = { locator: pay.locator, email: 'amal.haddad@example.com' };
    const again = await call(env, 'update_contact', contact);
    const changed = await call(env, 'update_contact', { ...contact, approval_id: again.result.approval.id });
    expect(changed).toMatchObject({ code: 0, result: { status: 'done' } });
  });
});

describe('details=page', () => {
  /** The words of a booking whose traveller is on the page. */
  async function booking(env: Record<string, string>) {
    const legs = [{ from: 'QCA', to: 'XMD', date: day(20) }];
    const { result } = await call(env, 'search_fares', { legs, passengers: { adults: 1 } });
    const { given_name, surname, email } = CONTACT;
    const contact = { given_name, surname, email };
    return [
      'create_booking',
      JSON.stringify({
        offer_ids: [result.offers[0].offer_id],
        contact,
        passenger_counts: { adults: 1 },
        details: 'page',
      }),
    ];
  }

  async function enterAt(env: Record<string, string>, shown: string): Promise<void> {
    const [, id = ''] = /http:\/\/127\.0\.0\.1:\d+\/details\/([\w-]{43})/.exec(shown) ?? [];
    const state = await openState(env);
    await enterDetails(state, id, [newTraveller()]);
    await state.close();
  }

  it.each(['--text', '--json'])(
    'prints the address of the page, waits, and goes on with what was entered: %s',
    async (how) => {
      const env = { ...freshState(), DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '' };
      const seen = screen(env);
      const running = seen.run('call', ...(await booking(env)), how);
      await seen.sees('This command waits, and then goes on. Ctrl-C: nothing is sent.');
      const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+\/details\/[\w-]{43})/.exec(seen.stderr()) ?? [];
      // This process serves the page.
      expect(await (await fetch(url)).text()).toContain('Passenger details');
      expect(seen.stdout()).toBe('');
      await enterAt(env, seen.stderr());
      expect([await running, seen.stderr().match(/Enter names/g)]).toEqual([0, ['Enter names']]);
      if (how === '--json')
        expect(JSON.parse(seen.stdout())).toMatchObject({ status: 'done', booking: { state: 'held' } });
      else expect(seen.stdout()).toMatch(/^\[sandbox\] Booking \w+ \(1 passenger, 1 train\) is held/);
    },
  );

  it('asks for the yes in the terminal after the page, and sends then', async () => {
    const env = { ...freshState(), DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '' };
    const locator = await heldIn(env);
    await call(env, 'pay_booking', payment(locator), ['--yes']);
    const seen = screen(env, { types: [locator] });
    const args = { locator, changes: [{ passenger_ref: '1' }], details: 'page' };
    const running = seen.run('call', 'change_names', JSON.stringify(args), '--json');
    await seen.sees('This command waits');
    await enterAt(env, seen.stderr());
    expect([await running, seen.unasked()]).toEqual([0, []]);
    expect(JSON.parse(seen.stdout())).toMatchObject({ status: 'done', booking: { locator } });
  });
});

describe('key=value inputs', () => {
  const legs = [{ from: 'QCA', to: 'XMD', date: day(20), days_after: 1 }];
  const search = ['search_fares', `legs=${JSON.stringify(legs)}`, 'passengers={"adults": 1}'];

  it('takes a list by commas, and as JSON', async () => {
    const env = freshState();
    const classes = async (...words: readonly string[]) => {
      const { code, json } = await typed(env, [...search, 'max_results=50', ...words]);
      const offers: { offer_id: string }[] = json().offers;
      return [code, offers.map(({ offer_id: _, ...offer }) => offer)];
    };
    const both = await classes('booking_classes=C,Y');
    expect(await classes('booking_classes=["C","Y"]')).toEqual(both);
    for (const one of ['C', 'Y']) expect(await classes(`booking_classes=${one}`)).not.toEqual(both);
  });

  it('types numbers, booleans, text and choices by the schema of the tool, and leaves the rest to the tool', async () => {
    const env = freshState();
    const all = [...search, 'direct_only=true', 'detail=full', 'max_results=2'];
    expect((await typed(env, all)).code).toBe(0);
    const unknown = ['pay_booking', 'locator=123456', 'payment={"type": "invoice"}', 'expected_total=172.50'];
    for (const words of [unknown, ['cancel_segment', 'locator=ABC123', 'segment_refs=1,2, 3']])
      expect((await typed(env, words)).json().error.code).toBe('E_NOT_FOUND');
    // The value goes on behind its first equals sign.
    const words = ['create_booking', 'offer_ids=none', 'contact={"given_name": "a=b", "surname": "c"}'];
    expect((await typed(env, words)).code).toBe(1);
    for (const wrong of ['passengers={"adults": "two"}', 'passengers=many', 'direct_only=maybe']) {
      const words = search.filter((word) => !wrong.startsWith('passengers') || !word.startsWith('passengers'));
      const { code, json } = await typed(env, [...words, wrong]);
      expect([wrong, code, json().error.code]).toEqual([wrong, 1, 'E_INPUT']);
    }
  });

  it.each<[string, readonly string[], RegExp]>([
    ['an unknown key, and names the nearest', ['legz=QCA'], /legz: there is no such input\. Nearest: legs\./],
    ['a nested key', ['passengers.adults=1'], /passengers\.adults: .* Nearest: passengers=JSON\./],
    ['a value given twice', ['max_results=1', 'max_results=2'], /max_results is given twice/],
    ['a word without an equals sign', ['from=QCA', 'QCA'], /expected inputs as key=value/],
    ['names of JavaScript', ['__proto__=1'], /there is no such input/],
    ['key=value together with JSON', ['from=QCA', '{}'], /not both/],
    ['--json with --text', ['--json', '--text'], /opposites/],
    ['--list with a tool', ['--list'], /stands alone/],
    ['arguments that are not JSON', ['{from: RUH}'], /not JSON/],
    ['arguments that are not an object', ['[1]'], /one JSON object/],
  ])('refuses %s', async (_, words, message) => {
    const { code, stdout, stderr } = await typed(freshState(), ['search_fares', ...words]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
  });

  it('never repeats what may be a card number', async () => {
    const card = '4111111111111111';
    for (const word of [`${card}=x`, `payment.${card}=x`, `payment=${card}`, `payment={"holder_name": "${card}"}`]) {
      const { code, shown } = await typed(freshState(), ['pay_booking', 'locator=ABC123', word]);
      expect([word, code > 0, shown.includes('4111')]).toEqual([word, true, false]);
    }
  });

  it('reads the fields of a step of a plan, which has those of any tool', async () => {
    const env = freshState();
    const steps = [{ tool: 'cancel_booking', arguments: { locator: await heldIn(env) } }];
    expect((await typed(env, ['propose_plan', `steps=${JSON.stringify(steps)}`])).code).toBe(0);
  });
});

describe('the tools in the terminal', () => {
  const wide = (text: string): readonly string[] => text.split('\n').filter((line) => line.length > 80);
  const listed = async (more: Record<string, string>): Promise<{ name: string; title: string; effect: string }[]> =>
    (await typed({ ...freshState(), ...more }, ['--list', '--json'])).json();

  it('are listed with effect, title and one line, in 80 columns; as JSON only those that the settings offer', async () => {
    const tools = await listed({});
    const { code, stdout } = await typed(freshState(), ['--list']);
    expect([code, wide(stdout)]).toEqual([0, []]);
    for (const { name, title } of tools) expect(stdout).toMatch(new RegExp(`^  ${name} +${title}\\.`, 'm'));
    expect(stdout).toContain('commit: Moves money or cannot be undone');
    expect(tools[0]).toMatchObject({ title: 'Search fares', effect: 'read' });
    const names = tools.map(({ name }) => name);
    const ofDesk = (await listed({ FARECLERK_TOOLSET: 'desk' })).map(({ name }) => name);
    expect(names.filter((name) => !ofDesk.includes(name))).toEqual(['propose_plan', 'run_plan']);
    const { json } = await typed(freshState(), ['--list', '--json', '--toolset', 'read']);
    expect(json().every(({ effect }: { effect: string }) => effect === 'read')).toBe(true);
    for (const flags of [['--assumed-operations', 'false'], ['--assumed-operations=false']])
      expect((await typed(freshState(), ['--list', '--json', ...flags])).json().length).toBeLessThan(names.length);
    for (const flags of [['--assumed-operations', 'true'], ['--assumed-operations=true']])
      expect((await typed(freshState(), ['--list', '--json', ...flags])).json()).toHaveLength(names.length);
  });

  it('have help with the schema of every input, and an example that works in the sandbox', async () => {
    const env = freshState();
    const examples = new Map<string, string>();
    for (const { name, title, effect } of await listed({})) {
      const { code, stdout } = await typed(env, [name, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain(`${title} (${effect})`);
      const [, inputs = ''] = /\nInputs, each with its JSON Schema:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
      for (const row of inputs.replaceAll(/\n {4,}/g, ' ').split('\n'))
        expect(row).toMatch(/^(?: {2}[a-z_]+(?: \(required\))? +\{.*\}|)$/);
      const [, example = ''] = /^ {2}fareclerk call \w+(?: '(.*)')?$/m.exec(stdout) ?? [];
      examples.set(name, example);
    }
    const tried = async (tool: string, locator = '', offer = '', ...more: readonly string[]) => {
      const words = (examples.get(tool) ?? '').replace('K7PL2M', locator).replace('OFFER_ID', offer);
      const { code, json } = await typed(env, [tool, ...(words === '' ? [] : [words]), ...more]);
      return { tool, code, result: json() };
    };
    const free = ['list_routes', 'get_calendar_dates', 'find_cheapest_dates', 'list_bookings', 'query_ledger'];
    for (const tool of free) expect(await tried(tool)).toMatchObject({ tool, code: 0 });
    expect((await tried('search_fares')).code).toBe(0);
    const search = (examples.get('search_fares') ?? '').replace('"adults":2', '"adults":1');
    const { offers } = (await typed(env, ['search_fares', search])).json();
    const made = await tried('create_booking', '', offers[0].offer_id);
    expect(made).toMatchObject({ code: 0, result: { booking: { state: 'held' } } });
    const { locator } = made.result.booking;
    expect(await tried('pay_booking', locator, '', '--yes')).toMatchObject({ code: 0, result: { status: 'done' } });
    for (const tool of [
      'read_booking',
      'get_seat_map',
      'change_names',
      'send_tickets',
      'update_contact',
      'cancel_segment',
    ])
      expect(await tried(tool, locator, '', '--yes')).toMatchObject({ tool, code: 0 });
    // The others need more than one booking; their keys are inputs.
    for (const tool of examples.keys())
      expect([tool, (await tried(tool, locator, 'none')).code]).not.toEqual([tool, 2]);
    const { stdout } = await typed(env, ['search_fares', '--help']);
    expect(stdout.replaceAll(/\n {4,}/g, ' ')).toMatch(
      /^ {2}max_results +\{"type":"integer", "description":"Most offers in the answer; 1 to 50; default: 10"\}$/m,
    );
    const [help, other] = [
      await typed(env, ['pay_booking', '--help']),
      await ran(env, ['help', 'call', 'pay_booking']),
    ];
    expect(other.stdout).toBe(help.stdout);
  });
});
