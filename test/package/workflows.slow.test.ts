/** The right to publish: only pinned actions and files that were built come near it. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = new URL('../../.github/workflows/', import.meta.url);

it.each(readdirSync(FOLDER))(
  '%s pins its actions, keeps no credentials, and gives the right to write to built files only',
  (file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    for (const line of text.split('\n').filter((one) => one.includes('uses:')))
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const { jobs, permissions } = parse(text);
    expect(Object.values(permissions)).not.toContain('write');
    for (const [name, { steps, permissions: own = permissions, environment, needs }] of Object.entries<typeof jobs>(
      jobs,
    )) {
      const runs: string[] = steps.map(({ uses = '', run = '' }) => uses + run);
      expect(runs.join()).not.toContain('${{');
      for (const { uses, with: given } of steps)
        if (uses?.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false });
      if (name === 'publish' || name === 'release') {
        expect(runs.join('\n')).toMatch(/^actions\/download-artifact@/);
        expect(runs.join('\n')).not.toMatch(/checkout@|node |npm (?!publish .* --ignore-scripts$)/m);
      } else if (name === 'night') {
        expect(own).toEqual({ contents: 'read', actions: 'read' });
        expect(runs.join('\n')).not.toMatch(/checkout@|node |npm /);
      } else expect(own).toEqual({ contents: 'read' });
      if (name === 'build') expect(needs).toBe('night');
      if (name !== 'publish') continue;
      expect([environment, own]).toEqual(['release', { 'id-token': 'write' }]);
      expect(runs.at(-1)).toMatch(/^npm publish \.\/release\/.* --provenance .*--ignore-scripts$/);
    }
  },
);
