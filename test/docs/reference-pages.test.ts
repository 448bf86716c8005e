/** The generated pages of the reference: complete, grouped, with limits that the program really has. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SETTING_EXAMPLES, SETTING_GROUPS } from '../../scripts/reference/setting-groups.ts';
import { settingsPage } from '../../scripts/reference/settings-page.ts';
import { inputFields } from '../../scripts/reference/tool-fields.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { flagOf, SETTING_NAMES, SETTINGS } from '../../src/config/settings.ts';
import { CATALOG } from '../../src/tools/index.ts';

const page = (file: string): string => readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');

describe('the page of settings', () => {
  const placed = SETTING_GROUPS.flatMap(({ names }) => names);

  test.each(SETTING_NAMES)('%s is in exactly one group', (name) => {
    expect(placed.filter((each) => each === name)).toEqual([name]);
    expect(settingsPage().split(`### ${name}\n`).length).toBe(2);
  });

  test.each(SETTING_NAMES)('%s accepts its example', (name) => {
    const parsed = SETTINGS[name].kind().safeParse(SETTING_EXAMPLES[name]);
    expect(parsed.success, `${name}=${SETTING_EXAMPLES[name]}`).toBe(true);
  });

  test('shows a secret as a file and every other setting as a flag', () => {
    for (const name of SETTING_NAMES) {
      const [, after = ''] = settingsPage().split(`### ${name}\n`);
      const [own = ''] = after.split('\n#');
      expect(own).toContain(SETTINGS[name].secret ? `\`${name}_FILE\`` : `flag \`${flagOf(name)}\``);
    }
  });
});

describe('the page of commands', () => {
  test.each(Object.keys(COMMANDS))('shows the help of fareclerk %s', (name) => {
    expect(page('reference/commands.md')).toMatch(
      new RegExp(`\\n## fareclerk ${name}\\n\\n\`\`\`text\\nusage: fareclerk `),
    );
  });
});

describe('the page of tools', () => {
  test.each(CATALOG.map((tool) => [tool.name, tool] as const))('%s has a description of every input', (name, tool) => {
    const without = inputFields(tool).filter(({ says }) => says === '');
    expect(
      without.map(({ path }) => `${name}:${path}`),
      'scripts/reference/input-notes.ts',
    ).toEqual([]);
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
