import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { toolAvailability } from '../../src/cli/runtime/tool-availability.ts';
import { annotations, isGuarded, type Tool } from '../../src/tools/definition/define.ts';
import { CATALOG, TOOLS } from '../../src/tools/index.ts';

const CORE = [
  'search_fares',
  'create_booking',
  'pay_booking',
  'read_booking',
  'quote_cancellation',
  'cancel_segment',
  'cancel_passenger',
  'change_names',
  'get_seat_map',
  'get_tickets',
  'list_routes',
  'get_calendar_dates',
];
const COMMITS = [
  'pay_booking',
  'cancel_segment',
  'cancel_passenger',
  'change_names',
  'cancel_booking',
  'assign_seats',
  'update_contact',
  'update_passenger',
  'rebook_segment',
  'split_booking',
  'run_plan',
];
const ASSUMED = {
  rail: ['update_passenger', 'rebook_segment', 'split_booking'],
  airline: ['update_passenger', 'split_booking'],
};
/** Offered with FARECLERK_PLANS alone. */
const PLANS = CATALOG.filter(({ toolset }) => toolset === 'plans').map(({ name }) => name);
/** Sends e-mail only: no later step depends on it. */
const UNGUARDED = ['send_tickets', 'close_findings'];

const files = readdirSync(new URL('../../src/tools', import.meta.url)).filter((name) => name.endsWith('.ts'));

describe('rules of the catalog', () => {
  test('lists each tool under its name, core tools first', () => {
    expect(Object.entries(TOOLS).map(([key, tool]) => [key, tool.name])).toEqual(CATALOG.map((t) => [t.name, t.name]));
    expect(CATALOG.filter((tool) => tool.toolset === 'core').map((tool) => tool.name)).toEqual(CORE);
    expect(CATALOG.slice(0, CORE.length).map((tool) => tool.name)).toEqual(CORE);
  });

  test('marks tools that move money or cannot be undone as commits', () => {
    expect(CATALOG.filter((tool) => tool.effect === 'commit').map((tool) => tool.name)).toEqual(COMMITS);
    expect(CATALOG.filter((tool) => tool.effect === 'hold').map((tool) => tool.name)).toEqual([
      'create_booking',
      'close_findings',
      'send_tickets',
    ]);
  });

  test.each(CATALOG.map((tool) => [tool.name, tool] as const))(
    'gives %s a file, a short description, correct annotations and closed schemas',
    (name, tool: Tool) => {
      expect(files).toContain(`${name.replaceAll('_', '-')}.ts`);
      expect(tool.description.length).toBeLessThanOrEqual(300);
      expect(tool.title).toMatch(/^[A-Z]/);
      const marks = annotations(tool);
      expect(marks.readOnlyHint).toBe(tool.effect === 'read');
      expect(marks.destructiveHint).toBe(tool.effect === 'commit');
      const input = z.toJSONSchema(tool.input(), { io: 'input' });
      expect(input).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(input)).not.toMatch(/"(anyOf|oneOf|allOf|pattern)"/);
      expect(z.toJSONSchema(tool.output(), { io: 'input' })).toMatchObject({ type: 'object' });
      expect(tool.input()).toBe(tool.input());
      if (isGuarded(tool)) {
        expect(tool.effect).not.toBe('read');
        expect(Object.keys(tool.input().shape)).toContain('approval_id');
        for (const common of ['status', 'operation_id', 'approval', 'booking']) {
          expect(Object.keys(tool.output().shape)).not.toContain(common);
        }
      } else {
        expect(tool.effect).toBe(UNGUARDED.includes(name) ? 'hold' : 'read');
      }
    },
  );

  test('offers plans with their own switch alone, and never where nothing may change', () => {
    const all = { readOnly: false, toolsets: ['core', 'desk'], assumedOperations: true } as const;
    const names = (plans: boolean, readOnly = false) =>
      toolAvailability(CATALOG, { ...all, plans, readOnly }).offered.map(({ name }) => name);
    expect(names(true)).toEqual(expect.arrayContaining(PLANS));
    expect(names(true)).toHaveLength(CATALOG.length);
    expect(names(true, true)).not.toContain('run_plan');
    const { offered, withheld } = toolAvailability(CATALOG, all);
    expect(offered.map(({ toolset }) => toolset)).not.toContain('plans');
    expect(withheld.get('run_plan')?.next).toContain('FARECLERK_PLANS');
  });

  test('guards every tool that changes something, except e-mail', () => {
    for (const tool of CATALOG) {
      expect(isGuarded(tool)).toBe(tool.effect !== 'read' && !UNGUARDED.includes(tool.name));
    }
  });

  test('marks tools that use an assumed request as commits, and says so in their descriptions', () => {
    const assumed = CATALOG.filter((tool) => tool.assumed);
    expect(assumed.map((tool) => tool.name)).toEqual(ASSUMED.rail);
    for (const tool of assumed) {
      expect(tool.effect).toBe('commit');
      expect(tool.description).toContain('Assumed request');
      expect(Object.keys(tool.output().shape)).toContain('assumption');
    }
  });

  test.each(['rail', 'airline'] as const)(
    'does not offer assumed requests to a real airline of the %s dialect',
    (dialect) => {
      const live = { readOnly: false, toolsets: ['core', 'desk'], assumedOperations: false } as const;
      const { offered, withheld } = toolAvailability(CATALOG, { ...live, airline: { dialect } });
      expect(offered).toHaveLength(CATALOG.length - ASSUMED[dialect].length - PLANS.length);
      expect([...withheld.keys()].toSorted()).toEqual([...ASSUMED[dialect], ...PLANS].toSorted());
      expect(withheld.get('split_booking')).toMatchObject({ code: 'E_CONFIG', effect: 'none' });
    },
  );
});
