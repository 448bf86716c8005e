import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { saveTicket } from '../../../src/cli/runtime/ticket-folder.ts';
import { temporary } from '../screen.ts';

const TICKET = { locator: 'K7PL2M', number: '2201234500017', coupon: '2' };
const PDF = Buffer.from('%PDF-1.4 one');
const OTHER = Buffer.from('%PDF-1.4 two');

const folder = (): string => join(temporary('tickets'), 'deep');
const modeOf = (path: string): number => statSync(path).mode & 0o777;

it('writes a ticket for its owner alone, makes the folder, and gives a changed one another name', async () => {
  const dir = folder();
  const path = await saveTicket(dir, TICKET, PDF);
  expect(path).toBe(join(dir, 'K7PL2M-2201234500017-2.pdf'));
  expect([readFileSync(path), modeOf(path), modeOf(dir)]).toEqual([PDF, 0o600, 0o700]);
  expect(await saveTicket(dir, TICKET, PDF)).toBe(path);
  const second = await saveTicket(dir, TICKET, OTHER);
  expect(second).toBe(join(dir, 'K7PL2M-2201234500017-2-v2.pdf'));
  expect(await saveTicket(dir, TICKET, OTHER)).toBe(second);
  expect([readFileSync(path), readdirSync(dir).length]).toEqual([PDF, 2]);
});

it('writes many at once without losing one', async () => {
  const dir = folder();
  const bodies = Array.from({ length: 12 }, (_, i) => Buffer.from(`%PDF-1.4 ${i}`));
  const paths = await Promise.all(bodies.map((body) => saveTicket(dir, TICKET, body)));
  expect(new Set(paths).size).toBe(12);
  for (const [i, path] of paths.entries()) expect(readFileSync(path)).toEqual(bodies[i]);
});

it('follows no link and touches nothing that has its name', async () => {
  const dir = folder();
  mkdirSync(dir);
  const target = join(dir, 'elsewhere');
  writeFileSync(target, PDF);
  const named = (version: string) => join(dir, `K7PL2M-2201234500017-2${version}.pdf`);
  symlinkSync(target, named(''));
  mkdirSync(named('-v2'));
  expect(await saveTicket(dir, TICKET, PDF)).toBe(named('-v3'));
  expect(readFileSync(target)).toEqual(PDF);
});

it.each(['../../etc/passwd', '..', '/etc', 'a\\b', 'a\0b', '.hidden', 'x'.repeat(500), ''])(
  'never leaves the folder: %j',
  async (odd) => {
    const dir = folder();
    for (const ticket of [
      { ...TICKET, locator: odd },
      { ...TICKET, number: odd },
      { ...TICKET, coupon: odd },
    ]) {
      const path = await saveTicket(dir, ticket, PDF);
      expect(path.startsWith(`${dir}/`)).toBe(true);
      expect(path.slice(dir.length + 1)).toMatch(/^[A-Za-z0-9-]{1,140}\.pdf$/);
    }
  },
);

it('names the setting if the folder cannot be written', async () => {
  const file = join(folder(), '..', 'file');
  writeFileSync(file, '');
  await expect(saveTicket(join(file, 'below'), TICKET, PDF)).rejects.toMatchObject({
    code: 'E_CONFIG',
    message: 'The folder of FARECLERK_TICKETS_DIR cannot be written. No ticket was saved.',
  });
});
