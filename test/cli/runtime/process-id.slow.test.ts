import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isGone, newOwner } from '../../../src/cli/runtime/process-id.ts';

describe('the owner of operations', () => {
  it('gives each owner a unique name, and reports it alive while its process runs', () => {
    const owner = newOwner();
    expect(newOwner()).not.toBe(owner);
    expect(isGone(owner)).toBe(false);
  });

  it('reports an owner as gone when its process has ended', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(isGone(newOwner().replace(`/${process.pid}/`, `/${pid}/`))).toBe(true);
  });

  it.each(['elsewhere/1/abc', '', 'a/b', 'elsewhere/999999999/abc'])('never reports the owner %j as gone', (owner) => {
    expect(isGone(owner)).toBe(false);
  });
});
