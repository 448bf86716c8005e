/** The right to publish: only pinned actions and files that were built come near it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Job {
  readonly permissions?: object;
  readonly environment?: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = new URL('../../.github/workflows/', import.meta.url);
const PUBLISHING = ['publish', 'release'];

const workflows = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  return { file, text, workflow: parse(text) as Workflow };
});

describe.each(workflows)('$file', ({ text, workflow: { jobs, permissions } }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('pins every action to a commit, and says its version', () => {
    const used = text.split('\n').filter((line) => line.includes('uses:'));
    expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of used) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('keeps no credentials in a checkout, and uses no text of a pull request in a command', () => {
    for (const { uses, run = '', with: given } of steps) {
      if (uses?.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false });
      expect(run).not.toContain('${{');
    }
  });

  it('gives a job more than the right to read only if it runs nothing but what another job built', () => {
    expect(Object.values(permissions)).not.toContain('write');
    for (const [name, { permissions: own = permissions, steps: taken }] of Object.entries(jobs)) {
      const runs = taken.map(({ uses = '', run = '' }) => uses + run).join('\n');
      if (PUBLISHING.includes(name)) {
        expect(runs).toMatch(/^actions\/download-artifact@/);
        expect(runs).not.toMatch(/checkout@|node |npm (?!publish .* --ignore-scripts$)/m);
      } else expect(own).toEqual({ contents: 'read' });
    }
  });
});

it('publishes with provenance, in an environment of its own, with the right to nothing else', () => {
  const publish = workflows.find(({ file }) => file === 'release.yml')?.workflow.jobs.publish;
  expect(publish).toMatchObject({ environment: 'release', permissions: { 'id-token': 'write' } });
  expect(Object.keys(publish?.permissions ?? {})).toEqual(['id-token']);
  expect(publish?.steps.at(-1)?.run).toMatch(/^npm publish \.\/release\/.* --provenance .*--ignore-scripts$/);
});
