/**
 * After `forget` nobody finds the person again without the state's key: each text that was ever hashed is tried again with
 * candidates. `node test/campaigns/privacy/forgotten.ts` tries a million of each value, on both databases.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Attacker, templatesFor } from '../../campaigns/privacy/support/attacker.ts';
import { fewFor, type Kept, type Kind, keptOfForgotten, PERSON } from '../../campaigns/privacy/support/forgotten.ts';
import { sqliteGrounds } from '../../campaigns/privacy/support/grounds.ts';

const KINDS = Object.entries(PERSON) as readonly (readonly [Kind, string])[];

let folder: string;
let kept: Kept;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clerk-forgotten-'));
  kept = await keptOfForgotten(sqliteGrounds(folder));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(KINDS)('the %s of a forgotten person', (kind, value) => {
  test('is in no file and no row', () => {
    const digits = value.replace(/\D/g, '');
    const writings = [value, digits.length > 5 ? digits : value].map((one) => one.toLowerCase());
    for (const written of writings) expect(kept.text.toLowerCase()).not.toContain(written);
  });

  test('is not found by trying candidates in each text of which a digest was made', () => {
    const attacker = new Attacker(kept.text, kept.keys);
    const templates = templatesFor(value, kept.hashed);
    // The value alone, and at least the arguments and the terms of the acts.
    expect(templates.length).toBeGreaterThan(5);
    for (const template of templates) expect(attacker.find(fewFor(kind), template)).toBeUndefined();
    expect(attacker.tries).toBeGreaterThan(kind === 'customer key' ? 500 : 1_000);
  });

  test.each(['hex', 'base64', 'base64url'] as const)('would be found in a digest without a key, in %s', (encoding) => {
    const templates = templatesFor(value, kept.hashed);
    // The key of a customer is in no call that names a booking.
    const isMeant = ({ parts }: (typeof templates)[number]) =>
      kind === 'customer key' || parts.join('').includes('locator');
    const template = templates.find(isMeant);
    if (template === undefined) throw new Error('its arguments were hashed');
    const planted = createHash('sha256')
      .update(template.parts.join(template.written(value)))
      .digest(encoding);
    const attacker = new Attacker(`${kept.text}\nold${planted.slice(0, 24)}`, kept.keys);
    expect(attacker.find(fewFor(kind), template)).toBe(value);
  });
});
