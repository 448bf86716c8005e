/** Reads the file of callers that sell under a point of sale of their own (FARECLERK_CALLERS_FILE). */
import * as z from 'zod';
import { readBelieved } from '../files/own-files.ts';
import { badSetting, foreignFile, SettingsError } from './problem.ts';
import * as v from './values.ts';

const SETTING = 'FARECLERK_CALLERS_FILE';

// The schemas are functions, so that they are built only where such a file is set.

/** One row: which callers it is for, and their point of sale (docs/wire/interface.md, Point of sale). */
const rowSchema = () =>
  z
    .strictObject({
      /** Value of the claim that `tenant_claim` names. */
      tenant: v.plain.optional(),
      /** `sub` of the token. */
      subject: v.plain.optional(),
      /** `client_id` or `azp` of the token. */
      client: v.plain.optional(),
      agent_id: v.plain,
      agency_id: v.plain,
      currency: v.currency,
      country: v.country.optional(),
    })
    .refine(({ tenant, subject, client }) => (tenant ?? subject ?? client) !== undefined, {
      message: 'tenant, subject or client: whom it is for',
    })
    .transform(({ agent_id: agentId, agency_id: agencyId, ...row }) => ({ ...row, agentId, agencyId }));

const fileSchema = () =>
  z
    .strictObject({
      /** Name of the claim in which the issuer's tokens name the tenant. */
      tenant_claim: v.plain.optional(),
      /** A caller gets the first row of which tenant, subject and client match, as far as the row has them. */
      callers: z.array(rowSchema()).max(10_000).default([]),
      /** Whether callers without a row sell under the server's own point of sale, or not at all. */
      others: v.oneOf('served', 'refused').default('served'),
    })
    .refine(({ tenant_claim, callers }) => callers.length > 0 || tenant_claim !== undefined, {
      message: 'callers, or tenant_claim',
    })
    .refine(
      ({ tenant_claim, callers }) => tenant_claim !== undefined || callers.every((row) => row.tenant === undefined),
      {
        message: 'tenant_claim, the claim that names the tenant, or rows by subject and client alone',
      },
    )
    .transform(({ tenant_claim: tenantClaim, ...file }) => ({ ...file, tenantClaim }));

export type CallerRow = Readonly<z.output<ReturnType<typeof rowSchema>>>;
export type CallersFile = Readonly<z.output<ReturnType<typeof fileSchema>>>;

/**
 * Reads the file at a path; undefined without a path.
 * @throws SettingsError that names the invalid place and repeats nothing of the file
 */
export function readCallersFile(path: string | undefined): CallersFile | undefined {
  if (path === undefined) return undefined;

  const parsed = fileSchema().safeParse(jsonIn(path));
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(({ path: place, message }) => ({
        setting: SETTING,
        wrong: `names a file that is not valid at ${place.join('.') || 'its root'}.`,
        expected: message,
      })),
    );
  }

  return parsed.data;
}

function jsonIn(path: string): unknown {
  let text: string;
  try {
    ({ text } = readBelieved(path));
  } catch (error) {
    const foreign = foreignFile(SETTING, error);
    if (foreign !== undefined) throw new SettingsError([foreign]);
    throw badSetting(SETTING, 'names a file that cannot be read.', 'a path');
  }

  try {
    return JSON.parse(text);
  } catch {
    throw badSetting(SETTING, 'names a file that is not JSON.', 'an object with a list "callers"');
  }
}
