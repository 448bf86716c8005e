/** What `node bench/run.ts calls --beside REV` compares with, and what it sends to both. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lastRelease, ratioOfRounds } from '../../bench/beside.ts';
import { isMet } from '../../bench/measure.ts';
import { differingRead, differingSearch, makeReplies } from '../../bench/support/replies.ts';
import { NOW, startUpstream } from '../../bench/support/upstream.ts';

test('the last release is the last commit that set a version, before the one of a tree with nothing unreleased', () => {
  const root = mkdtempSync(join(tmpdir(), 'fareclerk-releases-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  const commit = (version: string, zod: string, unreleased = ''): string => {
    writeFileSync(join(root, 'CHANGELOG.md'), `# Changelog\n\n## [Unreleased]\n${unreleased}\n## [${version}]\n`);
    const manifest = { name: 'fareclerk', version, devDependencies: { zod } };
    writeFileSync(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    git('commit', '--quiet', '--all', '--message', version);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet');
  writeFileSync(join(root, 'package.json'), '{}\n');
  writeFileSync(join(root, 'CHANGELOG.md'), '');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  const first = commit('0.1.0', '4.0.0');
  expect(() => lastRelease(root)).toThrow('no commit set an earlier version');
  commit('0.1.0', '4.0.1', '\n- Something.\n');
  expect(lastRelease(root)).toBe(first);
  // A release is compared with the one before it.
  const second = commit('0.2.0', '4.0.1');
  expect(lastRelease(root)).toBe(first);
  // Figures and mends of the release itself.
  commit('0.2.0', '4.0.2');
  expect(lastRelease(root)).toBe(first);
  commit('0.2.0', '4.0.2', '\n- Something.\n');
  expect(lastRelease(root)).toBe(second);
});

test('a ratio is that of the medians, and fails the run above its target, unless the rounds say that it may be noise', () => {
  const beside = (...ours: readonly number[]) => {
    const rounds = ours.map((cpu) => ({ ours: { ms: 1, cpu }, theirs: { ms: 1, cpu: 1 } }));
    return ratioOfRounds('read', rounds, 'cpu', 1.1);
  };
  const slower = beside(1.2, 1.3, 1.2, 9, 1.1);
  expect(slower).toMatchObject({ value: 1.2, from: '[1.20–1.30]  1.20 of 1.00 ms', mustMeet: true });
  expect(isMet(slower)).toBe(false);
  const noise = beside(0.9, 0.9, 1.2, 1.2, 1.2);
  expect(noise).toMatchObject({ value: 1.2, mustMeet: false });
  expect(isMet(beside(1.1))).toBe(true);
});

test('replies that differ do so in a time stamp and in a remark alone, each time; others are sent as they are', async () => {
  const replies = await makeReplies();
  const upstream = await startUpstream(replies);
  onTestFinished(() => void upstream.stop());
  const { FARECLERK_BASE_URL: url } = upstream.settings;
  const ask = async (message: string): Promise<string> =>
    (await fetch(url, { method: 'POST', headers: { 'local-name': message }, body: '{}' })).text();
  expect(await ask('OTA_ReadRQ')).toBe(replies.read);
  const texts = { read: differingRead(replies.read), search: differingSearch(replies.largeSearch) };
  await upstream.answer(texts);
  for (const [message, text] of [
    ['OTA_ReadRQ', texts.read],
    ['OTA_AirLowFareSearchRQ', texts.search],
  ] as const) {
    const sent = [await ask(message), await ask(message), await ask(message)];
    const times = sent.map((one) => JSON.parse(one).timeStamp);
    expect(new Set(times).size).toBe(3);
    expect(sent).toEqual(times.map((time) => text.replaceAll(NOW, time)));
    expect(sent[0]).toContain(`"Printed at ${times[0]}"`);
  }
});
