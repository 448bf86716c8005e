/** A few of the hosts; all of them: `node test/campaigns/hosts/run.ts`. */
import { expect, test } from 'vitest';
import { playAll, table } from './campaign.ts';

const SOME = ['declines at once', 'accepts at once, with the act', 'never answers', 'draws it: the person says no'];

test('every question reaches a person, whatever the host does with its dialog', { timeout: 120_000 }, async () => {
  const played = await playAll(['stdio 2026'], ({ name }) => SOME.includes(name));
  expect(played).toHaveLength(SOME.length);
  expect(
    played.flatMap(({ problems }) => problems),
    table(played),
  ).toEqual([]);
  const where = played.map(({ host, reached }) => `${host}: ${reached}`);
  expect(where).toContain('never answers: page');
  expect(where).toContain('draws it: the person says no: dialog');
});
