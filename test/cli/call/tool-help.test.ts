import { describe, expect, it } from 'vitest';
import { readKeyValues } from '../../../src/cli/call/key-values.ts';
import { inputsOf, toolHelp, toolList } from '../../../src/cli/call/tool-help.ts';
import { exampleOf, LOCATOR, OFFER } from '../../../src/cli/call/words.ts';
import { liveSchemas } from '../../../src/server/schemas.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { searchFares } from '../../../src/tools/search-fares.ts';
import { freshState, screen } from '../screen.ts';

const today = new Date().toISOString().slice(0, 10);
const schemas = liveSchemas();
const NAMES = CATALOG.map((tool) => tool.name);

const wide = (text: string): readonly string[] => text.split('\n').filter((line) => line.length > 80);

async function call(env: Record<string, string>, ...words: readonly string[]) {
  const seen = screen(env);
  const code = await seen.run('call', ...words);
  return { code, json: JSON.parse(seen.stdout()) };
}

/** The example of a tool, with a real booking and offer. */
const words = (tool: string, locator = LOCATOR, offer = OFFER): readonly string[] =>
  exampleOf(tool, ['locator'], today).replace(LOCATOR, locator).replace(OFFER, offer).split(' ');

describe('the help of a tool', () => {
  it.each(CATALOG)('$name: every input has a type and words, in 80 columns', (tool) => {
    for (const { name, type, says } of inputsOf(tool)) {
      expect(type, name).not.toBe('');
      expect(says, `${tool.name}.${name}`).toBeDefined();
    }
    const text = toolHelp(tool, today);
    expect(wide(text)).toEqual([]);
    expect(text).toContain(`${tool.title} (${tool.effect})`);
  });

  it('says what is required, the defaults and the limits', () => {
    const text = toolHelp(searchFares, today);
    expect(text).toMatch(/legs +list, required; one per direction; 1 to 6 items/);
    expect(text).toMatch(/max_results +number; most fares; default 10; 1 to 50/);
    expect(text).toMatch(/detail +concise \| full; default concise/);
    expect(text).toMatch(/passengers\.adults +number, required; .*0 or more/);
  });

  it.each(CATALOG)('$name: the keys of its example are inputs of it', (tool) => {
    const { required = [] } = schemas.input(tool);
    const args = readKeyValues(
      exampleOf(tool.name, required, today)
        .split(' ')
        .filter((word) => word !== ''),
      schemas.input(tool),
    );
    expect(Object.keys(args)).toEqual(expect.arrayContaining([...required]));
  });

  it('has examples that work in the sandbox, one after the other', async () => {
    const env = freshState();
    for (const tool of [
      'list_routes',
      'get_calendar_dates',
      'find_cheapest_dates',
      'list_bookings',
      'report_activity',
    ]) {
      expect(await call(env, tool, ...words(tool)), tool).toMatchObject({ code: 0 });
    }
    const found = await call(env, 'search_fares', ...words('search_fares'), '--json');
    const one = await call(
      env,
      'search_fares',
      ...words('search_fares').map((word) => word.replace('adults=2', 'adults=1')),
    );
    expect(found.code).toBe(0);
    const made = await call(env, 'create_booking', ...words('create_booking', '', one.json.offers[0].offer_id));
    expect(made).toMatchObject({ code: 0, json: { booking: { state: 'held' } } });
    const { locator } = made.json.booking;
    expect(await call(env, 'pay_booking', ...words('pay_booking', locator), '--yes')).toMatchObject({
      code: 0,
      json: { status: 'done' },
    });
    expect(await call(env, 'read_booking', ...words('read_booking', locator))).toMatchObject({ code: 0 });
    expect(await call(env, 'get_seat_map', ...words('get_seat_map', locator))).toMatchObject({ code: 0 });
    for (const tool of ['change_names', 'send_tickets', 'update_contact', 'cancel_segment']) {
      const { code, json } = await call(env, tool, ...words(tool, locator), '--yes');
      expect([tool, code, json.error]).toEqual([tool, 0, undefined]);
    }
  });

  it('is printed by `call TOOL --help` and `help call TOOL`', async () => {
    const [asked, other, plain] = [screen({}), screen({}), screen({})];
    expect(await asked.run('call', 'pay_booking', '--help')).toBe(0);
    expect(asked.stdout()).toMatch(/^usage: fareclerk call pay_booking /);
    await other.run('help', 'call', 'pay_booking');
    expect(other.stdout()).toBe(asked.stdout());
    await plain.run('call', '--help');
    expect(plain.stdout()).toMatch(/^usage: fareclerk call TOOL /);
  });
});

describe('fareclerk call --list', () => {
  it('lists every tool with effect, title and one line, in 80 columns', async () => {
    const seen = screen({ ...freshState(), FARECLERK_PLANS: 'true' });
    expect(await seen.run('call', '--list')).toBe(0);
    expect(seen.stdout()).toBe(toolList(CATALOG));
    for (const { name, title } of CATALOG) expect(seen.stdout()).toMatch(new RegExp(`^  ${name} +${title}\\.`, 'm'));
    expect(seen.stdout()).toContain('commit: Moves money or cannot be undone');
    expect(wide(seen.stdout())).toEqual([]);
  });

  it('is JSON with --json, and only what the settings offer', async () => {
    const { json } = await call(freshState(), '--list', '--json');
    const plans = ['propose_plan', 'run_plan'];
    expect(json.map(({ name }: { name: string }) => name)).toEqual(NAMES.filter((name) => !plans.includes(name)));
    expect(json[0]).toMatchObject({ title: 'Search fares', effect: 'read' });
    const reading = await call({ ...freshState(), FARECLERK_READ_ONLY: 'true' }, '--list', '--json');
    expect(reading.json.every(({ effect }: { effect: string }) => effect === 'read')).toBe(true);
  });
});

describe('what is bad usage', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['key=value together with JSON', ['list_routes', 'from=QCA', '{}'], /not both/],
    ['an unknown key', ['list_routes', 'form=QCA'], /Nearest: from\./],
    ['an unknown tool', ['list_route', 'from=QCA'], /no such tool\. Nearest: list_routes\./],
    ['--json with --text', ['list_routes', '--json', '--text'], /opposites/],
    ['--list with a tool', ['list_routes', '--list'], /stands alone/],
  ])('refuses %s with exit code 2', async (_, argv, message) => {
    const seen = screen(freshState());
    expect(await seen.run('call', ...argv)).toBe(2);
    expect(seen.stderr()).toMatch(message);
    expect(seen.stdout()).toBe('');
  });

  it('refuses a card number as before, wherever it is', async () => {
    const value = await call(freshState(), 'pay_booking', 'locator=ABC123', 'payment.holder_name=4111 1111 1111 1111');
    expect(value).toMatchObject({ code: 1, json: { error: { code: 'E_INPUT' } } });
    expect(JSON.stringify(value.json)).not.toContain('4111');
  });
});

it('reads the fields of a step of a plan, which has those of any tool', () => {
  const schema = schemas.input(CATALOG.find(({ name }) => name === 'propose_plan') ?? searchFares);
  const args = readKeyValues(['steps.0.tool=cancel_booking', 'steps.0.arguments.locator=ABC123'], schema);
  expect(args).toEqual({ steps: [{ tool: 'cancel_booking', arguments: { locator: 'ABC123' } }] });
  expect(() => readKeyValues(['steps.0.arguments.__proto__=x'], schema)).toThrow('there is no such input');
});
