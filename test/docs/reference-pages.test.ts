/** The generated pages of the reference: complete, grouped, with limits that the program really has. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { GROUP_NOTES, SETTING_EXAMPLES } from '../../scripts/reference/setting-groups.ts';
import { settingsPage } from '../../scripts/reference/settings-page.ts';
import { inputFields, type OutputField, outputFields, sharedFields } from '../../scripts/reference/tool-fields.ts';
import { flagOf, SETTING_NAMES, SETTINGS } from '../../src/config/settings.ts';
import { noted } from '../../src/tools/definition/field-notes.ts';
import { CATALOG } from '../../src/tools/index.ts';

describe('the page of settings', () => {
  test.each(SETTING_NAMES)(
    '%s is in one group, accepts its example, and is a file if it is secret, else a flag',
    (name) => {
      const [inGroup = ''] =
        settingsPage().split(`## ${GROUP_NOTES[SETTINGS[name].group].heading}\n`)[1]?.split(/^## /m) ?? [];
      expect(inGroup).toContain(`### ${name}\n`);
      const parsed = SETTINGS[name].kind().safeParse(SETTING_EXAMPLES[name]);
      expect(parsed.success, `${name}=${SETTING_EXAMPLES[name]}`).toBe(true);
      const [, after = '', ...more] = settingsPage().split(`### ${name}\n`);
      const [section = ''] = after.split('\n#');
      expect([more, section]).toEqual([
        [],
        expect.stringContaining(SETTINGS[name].secret ? `\`${name}_FILE\`` : `flag \`${flagOf(name)}\``),
      ]);
    },
  );
});

describe('the page of tools', () => {
  const unsaid = (fields: readonly OutputField[]) => fields.filter(({ says }) => says === '').map(({ path }) => path);

  test.each(CATALOG.map((tool) => [tool.name, tool] as const))('%s has a note for each field', (_, tool) => {
    expect({ input: unsaid(inputFields(tool)), output: unsaid(outputFields(tool)) }).toEqual({ input: [], output: [] });
  });

  test('has a note for each field of every result', () => {
    expect([...unsaid(sharedFields(false)), ...unsaid(sharedFields(true))]).toEqual([]);
  });

  test('finds a field without a note, wherever it is', () => {
    const tool = {
      name: 'toy',
      input: () => z.strictObject({ who: noted('Who {}.', z.string().optional().describe('rides')), seat: z.string() }),
      output: () => z.object({ rows: noted('rows', z.array(z.object({ n: z.int() }).optional()).optional()) }),
    };
    expect(inputFields(tool).map(({ says }) => says)).toEqual(['Who rides.', '']);
    expect(unsaid(outputFields(tool))).toEqual(['rows[].n']);
  });

  test('shows the limits that the tools check', () => {
    const limits = CATALOG.flatMap((tool) =>
      inputFields(tool).map(({ path, limits }) => `${tool.name}:${path} ${limits}`),
    );
    expect(limits).toContain('search_fares:legs 1 to 6 items');
    expect(limits).toContain('search_fares:legs[].days_before 0 to 7');
    expect(limits).toContain('list_bookings:max_results 1 to 200');
    expect(limits).toContain('pay_booking:locator a booking reference: 4 to 24 letters and digits');
  });
});
