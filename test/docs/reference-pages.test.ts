/** The generated pages of the reference: complete, grouped. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { FIELD_MEANINGS, meaningKey } from '../../scripts/reference/field-meanings.ts';
import { GROUP_NOTES, SETTING_EXAMPLES } from '../../scripts/reference/setting-groups.ts';
import { settingsPage } from '../../scripts/reference/settings-page.ts';
import { inputFields, outputFields } from '../../scripts/reference/tool-fields.ts';
import { askingFields, commonFields } from '../../src/clerk/common-fields.ts';
import { inputJsonSchema, outputJsonSchema } from '../../src/clerk/schemas.ts';
import { flagName, SETTING_NAMES, SETTINGS } from '../../src/config/settings.ts';
import { CATALOG } from '../../src/tools/index.ts';

describe('the page of settings', () => {
  const [, ...groups] = settingsPage().split(/^## /m);

  test.each(SETTING_NAMES)(
    '%s is in its group, accepts its example, and is a file if it is secret, else a flag',
    (name) => {
      const { group, secret, parser } = SETTINGS[name];
      const [own = '', ...others] = groups.filter((one) => one.includes(`### ${name}\n`));
      expect([own.split('\n')[0], others]).toEqual([GROUP_NOTES[group].heading, []]);
      expect(parser.safeParse(SETTING_EXAMPLES[name]).success, `${name}=${SETTING_EXAMPLES[name]}`).toBe(true);
      const [, after = '', ...again] = own.split(`### ${name}\n`);
      expect(again).toEqual([]);
      expect(after.split('\n#')[0]).toContain(secret ? `\`${name}_FILE\`` : `flag \`${flagName(name)}\``);
    },
  );
});

describe('the page of tools', () => {
  test.each(CATALOG.map((tool) => [tool.name, tool] as const))('%s has a note for each input', (_, tool) => {
    expect(
      inputFields(tool)
        .filter(({ says }) => says === '')
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('has a line for each field of each result, and no line of a field that no result has', () => {
    const fields = CATALOG.flatMap((tool) => outputFields(tool).map(({ path }) => [tool.name, path] as const));
    const keys = fields.map(([tool, path]) => meaningKey(tool, path));
    expect(fields.length).toBeGreaterThan(750);
    expect(fields.filter((_, i) => keys[i] === undefined)).toEqual([]);
    expect(Object.keys(FIELD_MEANINGS).filter((key) => !keys.includes(key))).toEqual([]);
  });

  test('keeps the lines of fields out of what hosts list', () => {
    const listed = CATALOG.map((tool) => JSON.stringify([inputJsonSchema(tool), outputJsonSchema(tool)])).join('\n');
    const lines = Object.values(FIELD_MEANINGS).filter((line) => line.length > 20);
    expect(lines.filter((line) => listed.includes(line))).toEqual([]);
  });

  test('says of an input that another one can replace what it is required without, and never joins a sentence to a clause', () => {
    const fields = CATALOG.flatMap((tool) => inputFields(tool).map((field) => ({ tool: tool.name, ...field })));
    const requiredWithout = fields
      .filter((field) => field.requiredWithout !== '')
      .map(({ tool, path, required }) => [tool, path, required]);
    expect(requiredWithout).toEqual(
      ['legs', 'legs[].from', 'legs[].to', 'legs[].date', 'passengers'].map((path) => ['search_fares', path, false]),
    );
    expect(fields.find(({ path, tool }) => tool === 'search_fares' && path === 'passengers.adults')?.required).toBe(
      true,
    );
    expect(fields.map(({ says }) => says).filter((says) => /[.:,];/.test(says))).toEqual([]);
  });

  test('has each field of every result, with its type', () => {
    const page = readFileSync('docs/reference/tools.md', 'utf8');
    const schema = z.object({ ...commonFields(), ...askingFields() });
    const rows = inputFields({ name: '', input: () => schema })
      .filter(({ path }) => !path.startsWith('booking.'))
      .map(({ path, type }) => `| \`${path}\` | ${type} | `);
    expect(rows.length).toBeGreaterThan(29);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
