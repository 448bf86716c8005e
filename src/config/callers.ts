/**
 * The file of callers who sell under a point of sale of their own (FARECLERK_CALLERS_FILE): agent id, agency and
 * currency (docs/wire/interface.md, Point of sale) by tenant, subject or client.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { SettingsError } from './problem.ts';
import * as v from './values.ts';

export interface CallerRow {
  /** Value of the claim that tells tenants apart. */
  readonly tenant?: string | undefined;
  /** `sub` of the token. */
  readonly subject?: string | undefined;
  /** `client_id` or `azp` of the token. */
  readonly client?: string | undefined;
  readonly agentId: string;
  readonly agencyId: string;
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 3166. */
  readonly country?: string | undefined;
}

export interface CallersFile {
  /** The first row whose every given word fits is the caller's. */
  readonly callers: readonly CallerRow[];
  /** Whether those who have no row sell under the server's own point of sale, or not at all. */
  readonly others: 'served' | 'refused';
}

const Row = () =>
  z
    .strictObject({
      tenant: v.plain().optional(),
      subject: v.plain().optional(),
      client: v.plain().optional(),
      agent_id: v.plain(),
      agency_id: v.plain(),
      currency: v.currency(),
      country: v.country().optional(),
    })
    .refine(({ tenant, subject, client }) => (tenant ?? subject ?? client) !== undefined, {
      message: 'expected tenant, subject or client: whom it is for',
    })
    .transform(({ agent_id: agentId, agency_id: agencyId, ...row }): CallerRow => ({ ...row, agentId, agencyId }));

const File = () =>
  z.strictObject({
    callers: z.array(Row()).min(1).max(10_000),
    others: v.oneOf('served', 'refused').default('served'),
  });

const SETTING = 'FARECLERK_CALLERS_FILE';

/** @throws SettingsError that says where the file is wrong, and repeats nothing of it. */
export function readCallersFile(path: string): CallersFile {
  const parsed = File().safeParse(jsonIn(path));
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(({ path: place, message }) => ({
        setting: SETTING,
        wrong: `names a file that is not valid at ${place.join('.') || 'its root'}.`,
        expected: message.replace(/^expected /, ''),
      })),
    );
  }
  assertDistinct(parsed.data.callers);
  return parsed.data;
}

function jsonIn(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw problem('names a file that cannot be read.', 'a path');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw problem('names a file that is not JSON.', 'an object with a list "callers"');
  }
}

/** Of two rows for the same callers one would never count. */
function assertDistinct(callers: readonly CallerRow[]): void {
  const seen = new Map<string, number>();
  for (const [at, { tenant, subject, client }] of callers.entries()) {
    const key = JSON.stringify([tenant, subject, client]);
    const before = seen.get(key);
    if (before !== undefined) {
      throw problem(`has rows callers.${before} and callers.${at} for the same callers.`, 'one row for each');
    }
    seen.set(key, at);
  }
}

function problem(wrong: string, expected: string): SettingsError {
  return new SettingsError([{ setting: SETTING, wrong, expected }]);
}
