/** Whose journal a program opens, and what it leaves alone. */
import { beforeEach, describe, expect, test } from 'vitest';
import { newOperation } from './support/new-operation.ts';
import { NO_RECORDS, offices } from './support/offices.ts';
import { errorOf } from './support/suite-database.ts';

let now = 1000;
const { both } = offices(() => now);
beforeEach(() => {
  now = 1000;
});

const META = { now: 1000, owner: 'p1', leaseUntil: 61_000 };

describe.each(both)('on $name', ({ name, office: openOffice }) => {
  /** The setting that its operator must change. */
  const setting = name === 'SQLite' ? 'FARECLERK_STATE_DIR' : 'FARECLERK_DATABASE_URL';

  test('keeps everything across a restart, and makes one digest key for many that start at once', async () => {
    const office = openOffice();
    const first = await office.open();
    await first.operations.insert(newOperation('a'), META);
    await first.close();
    const again = await Promise.all(Array.from({ length: 8 }, () => office.open()));
    for (const { digestKey } of again) expect(digestKey).toEqual(first.digestKey);
    expect(await again[0]?.operations.get('a')).toMatchObject({ id: 'a', state: 'intent' });
    expect(await again[0]?.operations.verify()).toBeUndefined();
    const fresh = openOffice();
    const together = await Promise.all(Array.from({ length: 8 }, () => fresh.open()));
    expect(new Set(together.map(({ digestKey }) => Buffer.from(digestKey).toString('hex'))).size).toBe(1);
  });

  test('refuses a journal of a newer version and does not change it', async () => {
    const office = openOffice();
    const { operations } = await office.open();
    await operations.insert(newOperation('a'), META);
    await office.sql("update $.meta set value = '99' where key = 'schema_version'");
    const error = await errorOf(office.open());
    const message = expect.stringContaining('newer fareclerk (its version is 99');
    expect(error).toMatchObject({ code: 'E_CONFIG', message });
    expect(`${error.message} ${error.next}`).toContain(setting);
    expect(await operations.get('a')).toMatchObject({ id: 'a' });
    // Nobody changed the version either.
    expect(await errorOf(office.open())).toMatchObject({ message: error.message });
  });

  test('refuses a journal of another airline and does not change it', async () => {
    const office = openOffice();
    const of = (airline: string) => office.open(NO_RECORDS, { airline: `air.example/${airline}` });
    for (let i = 0; i < 2; i++) await of('A');
    const error = await errorOf(of('B'));
    expect(error.code).toBe('E_CONFIG');
    expect(error.message).toContain('another airline or agency (air.example/A, not air.example/B)');
    expect(`${error.message} ${error.next}`).toContain(setting);
    // Whoever looks without an airline, as a back-up's check does, is let in; the owner stays.
    await office.open(NO_RECORDS);
    await of('A');
  });

  test('compares the settings of a server with those of the one that began first, as long as that works', async () => {
    const office = openOffice();
    const serve = (FARECLERK_LIMIT_PER_DAY: string, isServer = true) => {
      now += 1;
      return office.open(NO_RECORDS, { settings: { FARECLERK_APPROVAL: 'auto', FARECLERK_LIMIT_PER_DAY }, isServer });
    };
    const first = await serve('150');
    const [other, same, command] = [await serve('300'), await serve('150'), await serve('300', false)];
    const unlike = [{ setting: 'FARECLERK_LIMIT_PER_DAY', here: '300', there: '150' }];
    expect(await first.unlikeSettings()).toEqual([]);
    expect(await other.unlikeSettings()).toEqual(unlike);
    expect(await same.unlikeSettings()).toEqual([]);
    // A command is compared with the servers, and no server with it.
    expect(await command.unlikeSettings()).toEqual(unlike);
    // A program that begins later without a limit differs, too.
    now += 1;
    const without = await office.open(NO_RECORDS, { settings: { FARECLERK_APPROVAL: 'auto' }, isServer: true });
    expect(await without.unlikeSettings()).toEqual([{ ...unlike[0], here: 'not set' }]);
    await first.close();
    expect(await other.unlikeSettings()).toEqual([]);
    expect(await same.unlikeSettings()).toEqual([{ ...unlike[0], here: '150', there: '300' }]);
    // One that was killed counts for a minute.
    now += 61_000;
    expect(await same.unlikeSettings()).toEqual([]);
  });
});
