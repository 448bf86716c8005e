import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isGone, newOwner } from '../../../src/cli/runtime/process-id.ts';

describe('the owner of operations', () => {
  it('has a unique name, and is alive while its process runs', () => {
    const owner = newOwner();
    expect(newOwner()).not.toBe(owner);
    expect(isGone(owner)).toBe(false);
  });

  it('is gone when its process has ended', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(isGone(newOwner().replace(`/${process.pid}/`, `/${pid}/`))).toBe(true);
  });

  it.each(['elsewhere/1/abc', '', 'a/b', 'elsewhere/999999999/abc'])('%j is never reported as gone', (owner) => {
    expect(isGone(owner)).toBe(false);
  });
});
