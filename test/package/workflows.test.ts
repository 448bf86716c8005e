/** The workflows: every action is pinned, and what installs or tests has no right to publish. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const FOLDER = new URL('../../.github/workflows/', import.meta.url);

const Permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const Step = z.strictObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const Job = z.strictObject({
  'runs-on': z.literal('ubuntu-latest'),
  'timeout-minutes': z.int().positive(),
  needs: z.string().optional(),
  environment: z.string().optional(),
  strategy: z.unknown().optional(),
  permissions: Permissions.optional(),
  steps: z.array(Step),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: Permissions,
  concurrency: z.looseObject({ group: z.string() }),
  jobs: z.record(z.string(), Job),
});

const workflows = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  return { file, text, workflow: Workflow.parse(parse(text)) };
});
const release = workflows.find(({ file }) => file === 'release.yml')?.workflow;

describe.each(workflows)('$file', ({ text, workflow }) => {
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  it('pins every action to a commit, and says its version', () => {
    const used = text.split('\n').filter((line) => line.includes('uses:'));
    expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of used) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('keeps no credentials in a checkout', () => {
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false });
  });

  it('gives every job at most the right to read, unless it publishes', () => {
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const rights = Object.entries(job.permissions ?? workflow.permissions);
      if (!['publish', 'release'].includes(name)) expect(rights).toEqual([['contents', 'read']]);
    }
    expect(Object.values(workflow.permissions)).not.toContain('write');
  });

  it('uses no text of a pull request in a command', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });
});

it('has the same commit of an action in every workflow', () => {
  const pins = new Set(workflows.flatMap(({ text }) => text.match(/[\w-]+\/[\w-]+@[0-9a-f]{40}/g) ?? []));
  expect(new Set([...pins].map((pin) => pin.split('@')[0])).size).toBe(pins.size);
});

it('publishes in jobs that run no code of the repository and take only the files that were built', () => {
  const { build, publish, release: attach } = release?.jobs ?? {};
  expect(publish).toMatchObject({ needs: 'build', environment: 'release' });
  expect(publish?.permissions).toEqual({ 'id-token': 'write' });
  expect(attach?.needs).toBe('publish');
  expect(attach?.permissions).toEqual({ contents: 'write' });
  const stepsOf = (job: typeof publish) =>
    job?.steps.map(({ uses, run }) => uses?.replace(/@.*/, '') ?? run?.split(' ').slice(0, 3).join(' '));
  expect(stepsOf(publish)).toEqual([
    'actions/download-artifact',
    'actions/setup-node',
    'npm publish ./release/fareclerk-*.tgz',
  ]);
  // Alone, so that it can be run again: npm takes a version once.
  expect(stepsOf(attach)).toEqual(['actions/download-artifact', 'gh release create']);
  const runs = publish?.steps.map(({ run = '' }) => run).join('\n');
  expect(runs).toContain('--provenance');
  expect(runs).toContain('--ignore-scripts');
  const uploaded = build?.steps.at(-1);
  expect(uploaded?.uses).toMatch(/^actions\/upload-artifact@/);
  for (const job of [publish, attach]) {
    const downloaded = job?.steps[0]?.with;
    expect([uploaded?.with?.name, uploaded?.with?.path]).toEqual([downloaded?.name, `${downloaded?.path}/`]);
  }
});
