/** The generated pages of the reference: complete, grouped. */
import { describe, expect, test } from 'vitest';
import { GROUP_NOTES, SETTING_EXAMPLES } from '../../scripts/reference/setting-groups.ts';
import { settingsPage } from '../../scripts/reference/settings-page.ts';
import { inputFields, type OutputField, outputFields, sharedFields } from '../../scripts/reference/tool-fields.ts';
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
  const unsaid = (fields: readonly OutputField[]) => fields.filter(({ says }) => says === '').map(({ path }) => path);

  test.each(CATALOG.map((tool) => [tool.name, tool] as const))('%s has a note for each field', (_, tool) => {
    expect({ input: unsaid(inputFields(tool)), output: unsaid(outputFields(tool)) }).toEqual({ input: [], output: [] });
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
    const all = [...fields, ...CATALOG.flatMap((tool) => outputFields(tool))];
    expect(all.map(({ says }) => says).filter((says) => /[.:,];/.test(says))).toEqual([]);
  });

  test('has a note for each field of every result', () => {
    expect([...unsaid(sharedFields(false)), ...unsaid(sharedFields(true))]).toEqual([]);
  });
});
