/** Rules of the catalog, and what its list costs every conversation. The tools as they are listed are read in docs/reference/tools. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolAvailability } from '../../src/cli/runtime/offered-tools.ts';
import { readConfig } from '../../src/config/load.ts';
import { canRestrictSql } from '../../src/ledger/sql-tables.ts';
import { CATALOG, TOOLS } from '../../src/tools/index.ts';

const CORE = [
  ...['search_fares', 'create_booking', 'pay_booking', 'read_booking', 'quote_cancellation', 'cancel_segment'],
  ...['cancel_passenger', 'change_names', 'get_seat_map', 'get_tickets', 'list_routes', 'get_calendar_dates'],
];
const COMMITS = [
  ...['pay_booking', 'cancel_segment', 'cancel_passenger', 'change_names', 'cancel_booking', 'assign_seats'],
  ...['update_contact', 'update_passenger', 'rebook_segment', 'split_booking', 'request_service', 'run_plan'],
];
const ASSUMED = {
  rail: ['update_passenger', 'rebook_segment', 'split_booking', 'request_service'],
  airline: ['update_passenger', 'split_booking', 'request_service'],
};
/** Offered with FARECLERK_TOOLSET=plans alone. */
const PLANS = CATALOG.filter(({ toolset }) => toolset === 'plans').map(({ name }) => name);
/** Sends e-mail only, or closes what is listed: no later step depends on it. */
const ASKS_NOBODY = ['send_tickets', 'close_findings'];

interface Listed {
  readonly annotations: object;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: { readonly type: string; readonly properties: Record<string, object> };
}
const DOCS = new URL('../../docs/reference/tools/', import.meta.url);
const listed = (name: string): Listed => {
  const page = readFileSync(new URL(`${name}.md`, DOCS), 'utf8');
  const [, json = ''] = /<summary>Annotations and schemas<\/summary>\n\n```json\n([\s\S]*?)\n```/.exec(page) ?? [];
  return JSON.parse(json);
};
const files = readdirSync(new URL('../../src/tools', import.meta.url), { recursive: true, encoding: 'utf8' }).map(
  (path) => basename(path),
);
const ofEffect = (effect: string) => CATALOG.filter((tool) => tool.effect === effect).map(({ name }) => name);

describe('rules of the catalog', () => {
  test('lists each tool under its name, core tools first, and marks what moves money or cannot be undone', () => {
    expect(Object.entries(TOOLS).map(([key, tool]) => [key, tool.name])).toEqual(CATALOG.map((t) => [t.name, t.name]));
    expect(CATALOG.filter((tool) => tool.toolset === 'core').map((tool) => tool.name)).toEqual(CORE);
    expect(CATALOG.slice(0, CORE.length).map((tool) => tool.name)).toEqual(CORE);
    expect(ofEffect('commit')).toEqual(COMMITS);
    expect(ofEffect('hold')).toEqual(['create_booking', 'close_findings', 'send_tickets']);
  });

  test.each(CATALOG.map((tool) => [tool.name, tool] as const))(
    'gives %s a file, a short description, correct annotations and closed schemas, and guards what changes something',
    (name, tool) => {
      expect(files).toContain(`${name.replaceAll('_', '-')}.ts`);
      expect(tool.description.length).toBeLessThanOrEqual(300);
      expect(tool.title).toMatch(/^[A-Z]/);
      const { annotations, inputSchema, outputSchema } = listed(name);
      expect(annotations).toEqual({
        ...{ readOnlyHint: tool.effect === 'read', destructiveHint: tool.effect === 'commit' },
        ...{ idempotentHint: tool.effect !== 'hold', openWorldHint: true },
      });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(anyOf|oneOf|allOf|pattern)"/);
      expect(outputSchema.type).toBe('object');
      expect(tool.input()).toBe(tool.input());
      const asks = tool.effect !== 'read' && !ASKS_NOBODY.includes(name);
      expect(['run', 'preview', 'carriesOut'].filter((key) => key in tool)).toHaveLength(1);
      expect('run' in tool).toBe(!asks);
      expect(Object.keys(tool.input().shape).includes('approval_id')).toBe(asks);
      const hasShort = asks && !('showsFullBooking' in tool);
      const common = ['status', 'operation_id', 'approval', ...(hasShort ? ['booking'] : [])];
      expect(Object.keys(tool.output().shape).filter((field) => common.includes(field))).toEqual([]);
    },
  );

  test('offers plans by default, and never where nothing may change', () => {
    const availability = (FARECLERK_TOOLSET?: string) =>
      toolAvailability(CATALOG, { ...readConfig({ FARECLERK_TOOLSET }), assumedOperations: true });
    expect(availability().offered).toHaveLength(CATALOG.length);
    for (const toolset of ['read', 'core', 'desk']) {
      const { offered, withheld } = availability(toolset);
      expect(offered.map(({ toolset }) => toolset)).not.toContain('plans');
      expect(withheld.has('run_plan')).toBe(true);
    }
    expect(availability('desk').withheld.get('run_plan')?.next).toContain('FARECLERK_TOOLSET=plans');
  });

  test('offers questions in SQL unless the operator switched them off, or this Node.js cannot restrict them', () => {
    const all = { readOnly: false, toolsets: ['core', 'desk', 'plans'], assumedOperations: true } as const;
    const withheld = (switches: object) => toolAvailability(CATALOG, { ...all, ...switches }).withheld;
    expect([...withheld({}).keys()]).toEqual([]);
    expect([...withheld({ runsSql: false }).keys()]).toEqual(['query_ledger']);
    expect(withheld({ queryLedger: false, runsSql: false }).get('query_ledger')).toMatchObject({
      ...{ code: 'E_CONFIG', effect: 'none', next: expect.stringContaining('FARECLERK_QUERY_LEDGER=true') },
    });
    expect(readConfig({ FARECLERK_QUERY_LEDGER: 'false' }).queryLedger).toBe(false);
    expect(readConfig({}).queryLedger).toBe(true);
    expect(canRestrictSql()).toBe(true);
  });

  test.each(['rail', 'airline'] as const)(
    'marks assumed requests, and offers none to a real airline of the %s dialect',
    (dialect) => {
      const assumed = CATALOG.filter((tool) => tool.assumed);
      expect(assumed.map((tool) => tool.name)).toEqual(ASSUMED.rail);
      for (const tool of assumed) {
        expect([tool.effect, tool.description]).toEqual(['commit', expect.stringContaining('Assumed request')]);
        expect(Object.keys(tool.output().shape)).toContain('assumption');
      }
      const live = { readOnly: false, toolsets: ['core', 'desk'], assumedOperations: false } as const;
      const { withheld } = toolAvailability(CATALOG, { ...live, airline: { dialect } });
      expect([...withheld.keys()].toSorted()).toEqual([...ASSUMED[dialect], ...PLANS].toSorted());
      expect(withheld.get('split_booking')).toMatchObject({ code: 'E_CONFIG', effect: 'none' });
    },
  );

  test('shows a model the form of a calling code, of a nationality and of the first date of an input', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
    const input = (name: string) => (listed(name).inputSchema as any).properties;
    const { contact, passengers } = input('create_booking');
    const { birth_date, document, phone } = passengers.items.properties;
    expect(birth_date.description).toBe('YYYY-MM-DD');
    expect(document.properties.nationality.description).toBe('SA');
    for (const { properties } of [phone, contact.properties.phone, input('update_contact').phone])
      expect(properties.country_code.description).toBe('966');
    expect(input('search_fares').legs.items.properties.date.description).toBe('YYYY-MM-DD');
    for (const name of ['get_calendar_dates', 'find_cheapest_dates'])
      expect(input(name).start_date.description).toBe('YYYY-MM-DD');
  });

  test('shows a model which arguments the step of a plan takes, with their types', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
    const { arguments: taken } = (listed('propose_plan').inputSchema as any).properties.steps.items.properties;
    expect(Object.keys(taken.properties).toSorted()).toEqual([
      ...['date', 'locator', 'locators', 'offer_ids', 'payment', 'reason', 'segment_refs', 'train'],
    ]);
    expect(taken.properties.offer_ids).toEqual({ type: 'array', items: { type: 'string' } });
    expect(taken.properties.payment).toEqual({ type: 'object' });
    expect(taken.additionalProperties).not.toBe(false);
    for (const word of ['without approval_id', 'cancel_bookings', 'move_party', 'train'])
      expect(taken.description).toContain(word);
  });
});
