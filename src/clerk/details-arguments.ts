/**
 * What arguments say of the details page, before anything parses them: whether a call uses the page, and the refusal of documents, birth
 * dates and genders, which only the page takes where FARECLERK_DETAILS=page.
 */

import { type ClerkError, inputError } from '../core/errors.ts';
import { objectInJson } from '../core/own.ts';
import { joined } from '../core/words.ts';
import type { Tool } from '../tools/definition/define.ts';
import { PAGE_FIELDS } from './schemas.ts';

/** Names of fields that an error may repeat: those that look like one of ours. */
const PRINTABLE_NAME = /^[a-z_]{1,30}$/;

/** Whether unparsed arguments ask for the page, or come back from it. Looks into JSON text too. */
export function hasDetails(raw: unknown): boolean {
  return ((objectIn(raw) as { readonly details?: unknown } | undefined)?.details ?? null) !== null;
}

/**
 * Refuses documents, birth dates and genders in the arguments of any tool, before anything parses, keeps or logs them. A call with
 * passengers whose details the tool needs must use the page.
 * @throws ClerkError
 */
export function refuseDetails(tool: Tool, raw: unknown): void {
  const field = findPageField(raw, '');
  if (field !== undefined) throw onPageOnly(tool, field, 'and was not read');
  const needsDetails = 'inputAlone' in tool && tool.inputAlone !== undefined && 'passengers' in (objectIn(raw) ?? {});
  if (needsDetails && !hasDetails(raw)) throw onPageOnly(tool, 'passengers', 'so that this needs details: "page" too');
}

function onPageOnly({ name }: Tool, field: string, consequence: string): ClerkError {
  const problem = `travellers enter their details on a page here, ${consequence}.`;
  const steps = name === 'propose_plan' ? 'change passengers in a call of their own' : `call ${name} again`;
  return inputError(field, problem, `Leave out ${PAGE_FIELDS.join(', ')}, and ${steps} with details: "page".`);
}

/** Finds the path of the first field that only the page takes, such as `passengers[0].birth_date`. Looks into JSON text too. */
function findPageField(raw: unknown, path: string): string | undefined {
  const value = objectIn(raw);
  if (value === undefined) return undefined;

  for (const [key, inner] of Object.entries(value)) {
    const innerPath = Array.isArray(value) ? `${path}[${key}]` : joined([path, printable(key)], '.');
    if (!Array.isArray(value) && PAGE_FIELDS.includes(key) && inner !== null) return innerPath;
    const found = findPageField(inner, innerPath);
    if (found !== undefined) return found;
  }

  return undefined;
}

/** Our error names the field: a key that is none of ours may itself hold what nobody should read. */
function printable(key: string): string {
  return PRINTABLE_NAME.test(key) ? key : '?';
}

/** Reads an object or array, or the JSON text of one. Undefined for anything else. */
function objectIn(raw: unknown): object | undefined {
  if (typeof raw === 'string') return objectInJson(raw);
  return typeof raw === 'object' && raw !== null ? raw : undefined;
}
