/** Archives of the journal. */
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkFile } from '../../src/store/archive/check-file.ts';
import { left, newOperation, paid, TODAY } from './new-operation.ts';
import { offices } from './support/offices.ts';
import type { NewOperation, State } from './support/ports.ts';

const DAY = 86_400_000;
let clock = TODAY;
const { both, sqlite, folder } = offices(() => ++clock);
const meta = (now: number) => ({ now, owner: 'p1', leaseUntil: now + 60_000 });
let files = 0;
const freshFile = () => folder.at(`${++files}.jsonl.gz`);
const request = (file: string, daysAgo = 60) => ({ file, before: TODAY - daysAgo * DAY, by: 'os:ann', now: TODAY });

const idsOf = async ({ operations }: State) => (await operations.list({})).map(({ id }) => id).sort();

/** Drafts of an archive that were left behind. */
function draftsOf(file: string): string[] {
  return readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)) && name.endsWith('.part'));
}

describe.each(both)('on $name', ({ office }) => {
  /** Recorded, and nothing deleted yet. */
  const diesBeforeDeleting = async (state: State, file: string) => {
    const prototype = Object.getPrototypeOf(state.operations);
    const { removeArchived } = prototype;
    prototype.removeArchived = () => Promise.reject(new Error('died'));
    await expect(state.operations.archive(request(file))).rejects.toThrow('died');
    prototype.removeArchived = removeArchived;
  };

  /** Old payments, one of them with a person, a creation, and a young payment. */
  async function begun() {
    const it = office();
    const state = await it.open();
    await paid(state, 'a', 500);
    await left(state, 'b', 450);
    await paid(state, 'made', 100, { tool: 'create_booking', subject: { kind: 'create' }, fingerprint: 'f' });
    await paid(state, 'c', 90);
    await paid(state, 'young', 40);
    return { ...it, state };
  }

  describe('an archive', () => {
    test('moves closed old operations into a file that continues in the journal', async () => {
      const { state } = await begun();
      const file = freshFile();
      const found = await state.operations.archive(request(file));
      expect(found).toMatchObject({ operations: 2, from: { n: 0 }, to: { n: 12 } });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(await idsOf(state)).toEqual(['b', 'made', 'young']);
      expect(await state.operations.events('a')).toEqual([]);
      expect(await state.operations.events('b')).toHaveLength(3);
      expect(await state.operations.verify()).toBeUndefined();
      const span = {
        tenant: 't',
        from: TODAY - 500 * DAY,
        to: TODAY,
        groupBy: 'tool' as const,
        ledgerOf: 'me',
        now: TODAY,
      };
      expect(await state.operations.activity(span)).toMatchObject({ archivedBefore: TODAY - 60 * DAY });
      const young = await state.operations.activity({ ...span, from: TODAY - 60 * DAY });
      expect(young.archivedBefore).toBeUndefined();
      const checked = await checkFile(file);
      expect(checked).toMatchObject({ events: 12, operations: 2, sha256: found.sha256, header: { to: found.to } });
      expect((await state.operations.events('')).map(({ to, actor }) => [to, actor])).toEqual([['archived', 'os:ann']]);
      expect((await state.chain.status()).head.n).toBe(16);
      await paid(state, 'd', 1);
      expect(await state.operations.verify()).toBeUndefined();
      expect(await state.chain.has(found.to)).toBe(true);
      expect(await state.chain.has({ n: 3, hash: 'x' })).toBe('archived');
      expect(await state.chain.has({ n: 12, hash: 'x' })).toBe(false);
    });

    test('takes with the next archive what the first one had to leave', async () => {
      const { state } = await begun();
      const [first, second] = [freshFile(), freshFile()];
      const { to } = await state.operations.archive(request(first));
      const at = { now: TODAY + DAY, actor: 'os:ann' };
      await state.operations.transition('b', ['needs_person'], 'resolved', { outcome: {} }, at);
      await paid(state, 'd', -2);
      const next = await state.operations.archive({ ...request(second, -10), now: TODAY + 50 * DAY });
      expect(next).toMatchObject({ operations: 3, from: to });
      expect(await checkFile(second)).toMatchObject({ operations: 3, header: { from: to } });
      expect(await idsOf(state)).toEqual(['made']);
      expect(await state.operations.events('made')).toHaveLength(3);
      expect(await state.operations.verify()).toBeUndefined();
      expect((await state.operations.archives()).map(({ operations }) => operations)).toEqual([2, 3]);
      const later = { ...request(freshFile()), before: TODAY + 400 * DAY, now: TODAY + 500 * DAY };
      expect(await state.operations.archive(later)).toMatchObject({ operations: 1 });
      expect(await idsOf(state)).toEqual([]);
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('takes a creation, which moves no money, once its trip is over', async () => {
      const state = await office().open();
      const until = (daysAgo: number) => new Date(TODAY - daysAgo * DAY).toISOString();
      const created = async (id: string, subject: NewOperation['subject']) => {
        const {
          amount: _,
          direction: __,
          ...create
        } = newOperation(id, { tool: 'create_booking', subject, fingerprint: id });
        await state.operations.insert({ ...create, locator: id }, meta(TODAY - 100 * DAY));
        const at = { now: TODAY - 100 * DAY, actor: 'p1' };
        await state.operations.transition(id, ['intent'], 'not_executed', {}, at);
      };
      await created('over', { kind: 'create', until: until(61) });
      await created('ahead', { kind: 'create', until: until(59) });
      await created('unknown', { kind: 'create' });
      expect(await state.operations.archive(request(freshFile()))).toMatchObject({ operations: 1 });
      expect(await idsOf(state)).toEqual(['ahead', 'unknown']);
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('makes no file if nothing is old enough, and refuses the last thirty days', async () => {
      const { state } = await begun();
      const file = freshFile();
      expect(await state.operations.archive(request(file, 600))).toMatchObject({ operations: 0 });
      await expect(state.operations.archive(request(file, 29))).rejects.toMatchObject({ code: 'E_INPUT' });
      expect([existsSync(file), ...draftsOf(file)]).toEqual([false]);
      expect(await state.operations.events('')).toEqual([]);
    });

    test('refuses to archive a journal that was changed', async () => {
      const { state, tamper } = await begun();
      await state.operations.archive(request(freshFile()));
      await tamper("update $.event set actor = 'x' where operation_id = 'b' and seq = 2");
      const next = state.operations.archive({ ...request(freshFile(), 0), now: TODAY + 50 * DAY });
      await expect(next).rejects.toThrow('changed from outside');
      expect(await state.operations.archives()).toHaveLength(1);
    });

    test('keeps the release of a booking as long as its creation', async () => {
      const state = await office().open();
      await paid(state, 'made', 100, { tool: 'create_booking', subject: { kind: 'create' }, fingerprint: 'f' });
      const subject = { kind: 'cancel_booking' as const };
      await paid(state, 'cancel', 80, { tool: 'cancel_booking', subject, locator: 'MADE' });
      await paid(state, 'other', 80, { tool: 'cancel_booking', subject });
      await state.operations.archive(request(freshFile()));
      expect(await idsOf(state)).toEqual(['cancel', 'made']);
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('deletes no event outside of archiving', async () => {
      const { state, sql } = await begun();
      const all = sql('delete from $.event');
      await expect(all).rejects.toThrow('append-only');
      await state.operations.archive(request(freshFile()));
      for (const which of ["operation_id = 'b'", "operation_id = 'young'", "operation_id = ''"])
        await expect(sql(`delete from $.event where ${which}`)).rejects.toThrow('append-only');
      await expect(sql("update $.event set actor = 'x' where n = 1 or n = 4")).rejects.toThrow('append-only');
      expect(await state.operations.verify()).toBeUndefined();
    });

    test.each([
      ['a kept event changed', "update $.event set actor = 'x' where operation_id = 'b' and seq = 2"],
      ['a kept event gone', "delete from $.event where operation_id = 'made' and seq = 3"],
      ['a kept operation gone', "delete from $.operation where id = 'b'"],
      ['a kept operation changed', "update $.operation set amount_minor = 1 where id = 'made'"],
      ['the record gone', 'delete from $.archive'],
      ['the record changed', 'update $.archive set before_at = 0'],
    ])('finds with verify %s', async (_what, change) => {
      const { state, tamper } = await begun();
      await state.operations.archive(request(freshFile()));
      await tamper(change);
      expect(await state.operations.verify()).toBeDefined();
    });

    test.each<[string, (text: string) => string]>([
      ['changed', (text) => text.replace('"amount_minor":17250', '"amount_minor":17251')],
      ['without an event', (text) => text.replace(/^\{"own".*\n/m, '')],
      ['without an operation', (text) => text.replace(/^\{"operation".*\n/m, '')],
      ['cut off', (text) => text.replace(/^\{"end".*\n/m, '')],
      ['of something else', () => 'x'],
    ])('refuses a file %s', async (_what, change) => {
      const { state } = await begun();
      const file = freshFile();
      await state.operations.archive(request(file));
      const text = gunzipSync(readFileSync(file)).toString();
      expect(change(text)).not.toBe(text);
      writeFileSync(file, gzipSync(change(text)));
      await expect(checkFile(file)).rejects.toThrow();
    });
  });

  describe('an archive that is interrupted', () => {
    test.each([
      ['events written', 0],
      ['events read again', 0],
      ['operations moved', 2],
    ])('has everything or its record after %s, and can be repeated', async (step, recorded) => {
      const { state } = await begun();
      const file = freshFile();
      const stop = new AbortController();
      const onProgress = (_done: number, _total: number, what: string) => what === step && stop.abort();
      const stopped = state.operations.archive({ ...request(file), signal: stop.signal, onProgress });
      await expect(stopped).rejects.toThrow();
      expect((await state.operations.archives()).flatMap(({ operations }) => operations)).toEqual(
        recorded === 0 ? [] : [recorded],
      );
      expect(draftsOf(file)).toEqual([]);
      expect(await state.operations.verify()).toBeUndefined();
      expect(await state.operations.archive(request(file))).toMatchObject({ operations: 2 });
      expect(await idsOf(state)).toEqual(['b', 'made', 'young']);
      expect(await state.operations.verify()).toBeUndefined();
      expect(await state.operations.archives()).toHaveLength(1);
      await checkFile(file);
    });

    test('verifies and repeats if the program died before it deleted anything, once its file is there', async () => {
      const { state } = await begun();
      const file = freshFile();
      await diesBeforeDeleting(state, file);
      expect(await state.operations.verify()).toBeUndefined();
      renameSync(file, `${file}.away`);
      await expect(state.operations.archive(request(file))).rejects.toThrow('recorded but not finished');
      expect(await idsOf(state)).toEqual(['a', 'b', 'c', 'made', 'young']);
      renameSync(`${file}.away`, file);
      await expect(state.operations.archive(request(file, 61))).rejects.toThrow('is the last archive');
      expect(await idsOf(state)).toEqual(['b', 'made', 'young']);
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('keeps the file that another process recorded under the same name', async () => {
      const { state } = await begun();
      const file = freshFile();
      const prototype = Object.getPrototypeOf(state.chain);
      const { enterArchive } = prototype;
      prototype.enterArchive = async (...one: unknown[]) => {
        prototype.enterArchive = async (...other: unknown[]) => {
          prototype.enterArchive = enterArchive;
          await enterArchive.apply(state.chain, one);
          return enterArchive.apply(state.chain, other);
        };
        await expect(state.operations.archive(request(file, 61))).rejects.toThrow('changed meanwhile');
        return { n: 0, hash: '' };
      };
      await state.operations.archive(request(file));
      const [last] = await state.operations.archives();
      expect((await checkFile(file)).sha256).toBe(last?.file.sha256);
      expect(await idsOf(state)).toEqual(['b', 'made', 'young']);
    });

    test('replaces a file that was written but not recorded, and no other file', async () => {
      const { state } = await begun();
      const [file, other] = [freshFile(), freshFile()];
      const prototype = Object.getPrototypeOf(state.chain);
      const { enterArchive } = prototype;
      prototype.enterArchive = () => Promise.reject(new Error('died'));
      await expect(state.operations.archive(request(file))).rejects.toThrow('died');
      prototype.enterArchive = enterArchive;
      writeFileSync(other, 'mine');
      await expect(state.operations.archive(request(other))).rejects.toMatchObject({ code: 'E_CONFIG' });
      expect(readFileSync(other, 'utf8')).toBe('mine');
      expect(await state.operations.archive(request(file))).toMatchObject({ operations: 2 });
      await paid(state, 'd', 33);
      expect(await state.operations.verify()).toBeUndefined();
    });
  });
});

const dayOf = (file: string) => ({ ...request(file), by: 'x' });

test('sends on from a machine whose second record ends before the archive does', async () => {
  const office = sqlite();
  const away = await office.open('one');
  await paid(away, 'a', 90);
  await away.close();
  const other = await office.open('two');
  await other.chain.keepUp();
  const confirming = await office.open('one');
  await confirming.chain.keepUp();
  await confirming.close();
  await paid(other, 'b', 80);
  expect(await other.operations.archive(dayOf(freshFile()))).toMatchObject({ operations: 2 });
  const back = await office.open('one');
  await paid(back, 'c', 0);
  expect((await back.chain.status()).hold).toBeUndefined();
  expect(await back.operations.verify()).toBeUndefined();
});

test('misses only what came after a copy that is put back, from before the archive or after it', async () => {
  const lostAfter = async (copyFirst: boolean) => {
    const [office, archive] = [sqlite(), dayOf(freshFile())];
    const state = await office.open();
    await paid(state, 'a', 90);
    await paid(state, 'b', 0);
    if (copyFirst) await office.copy();
    await state.operations.archive(archive);
    if (!copyFirst) await office.copy();
    await paid(state, 'c', 0);
    await state.close();
    await office.putBack();
    const older = await office.open();
    expect((await older.chain.status()).hold).toBeDefined();
    const lost = await older.chain.lost();
    expect(lost.acts.map(({ sent, end }) => sent?.id ?? end?.id)).toEqual(['c']);
    return { older, links: lost.links, archive };
  };
  await lostAfter(false);
  const { older, links, archive } = await lostAfter(true);
  expect(await older.chain.release(links, 'x', TODAY)).toEqual({ kind: 'released' });
  expect(await older.operations.archive(archive)).toMatchObject({ operations: 1 });
  expect(await older.operations.verify()).toBeUndefined();
});
