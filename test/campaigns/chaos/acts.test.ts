import { expect, test } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { ACTS } from '../support/acts.ts';

test('has an act for every tool that needs approval', () => {
  const commits = CATALOG.filter((tool) => tool.effect === 'commit' && tool.toolset !== 'plans').map(
    (tool) => tool.name,
  );
  expect([...new Set(ACTS.map((act) => act.tool))].sort()).toEqual(commits.sort());
});
