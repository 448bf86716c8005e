import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { teamOf } from './cases/sign-in.ts';
import { CASES } from './cases.ts';
import { GUIDE, masked, section } from './gallery.ts';
import { doctorOn, runCase } from './run-case.ts';
import { withWorld } from './world.ts';

/** Of the set-ups: none of these may ever be printed or written. */
const SECRETS = ['hunter2', 'sandbox-client-secret', 'sandbox-password', 'sandbox-api-key', '"clerk"'];

// The provider says that it is meant for development; so are we.
beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));

const guide = masked(readFileSync(GUIDE, 'utf8'));

describe('working set-up', () => {
  it('passes every check with a working set-up', async () => {
    await withWorld(async ({ env, stateDir }) => {
      const { code, text, checks } = await doctorOn({ env }, ['--report', `${stateDir}/doctor-report.json`]);
      expect(guide).toContain(masked(text));
      expect(checks.filter(({ level }) => level === 'fail')).toEqual([]);
      expect(checks.filter(({ level }) => level === 'skipped')).toEqual([]);
      expect(text).toMatch(/14 checks passed\./);
      expect(code).toBe(0);
    });
  });
});

describe('team server', () => {
  it('passes every check of the identity provider and of the public address', async () => {
    await withWorld(async (world) => {
      const { env, publicUrl, issuer } = await teamOf(world);
      const { text, checks, code } = await doctorOn({ env }, ['--report', `${world.stateDir}/doctor-report.json`]);
      expect(checks.filter(({ level }) => level !== 'ok')).toEqual([]);
      expect(code).toBe(0);
      const said = text.replaceAll(/\s+/g, ' ');
      for (const words of [
        `${issuer} answers, with 1 key for tokens`,
        `Access tokens need iss ${issuer}, aud ${publicUrl}/mcp, sub, and scopes such as air:read`,
        `The provider knows page and its redirect address ${publicUrl}/approve/signed-in`,
        'the role air-approver decide for others',
        `${publicUrl} leads to this server`,
      ])
        expect(said).toContain(words);
      expect(JSON.stringify(checks)).not.toContain('page-secret');
    });
  });
});

describe('broken set-ups', () => {
  it.each(CASES)('finds $finding in $name', async (broken) => {
    await withWorld(async (world) => {
      const spoken = await runCase(broken, world);
      const { code, text, checks, report } = spoken;
      expect(guide, 'docs/reference/doctor.md: run node test/cli/doctor/gallery.ts').toContain(
        masked(section(broken.name, spoken)),
      );
      const found = checks.find(({ id }) => id === broken.check);
      expect(found, text).toMatchObject({ finding: broken.finding, level: broken.level });
      expect(found?.advice).toMatch(broken.advice);
      expect(code).toBe(checks.some(({ level }) => level === 'fail') ? 1 : 0);
      // One cause, one failure: what follows from it is not tried, or is a warning.
      if (broken.level === 'fail') expect(checks.filter(({ level }) => level === 'fail')).toHaveLength(1);
      for (const secret of SECRETS) expect(text + JSON.stringify(report)).not.toContain(secret);
    });
  });

  it('gives each broken set-up a finding or advice of its own', () => {
    const told = CASES.map(({ check, finding, advice }) => `${check} ${finding} ${advice.source}`);
    expect(new Set(told).size).toBe(CASES.length);
    expect(new Set(CASES.map(({ finding }) => finding)).size).toBeGreaterThan(30);
  });
});
