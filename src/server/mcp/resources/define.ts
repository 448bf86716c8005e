/**
 * A resource: a text or a file under an address, which a person or host attaches to a conversation. It is read through the clerk
 * by a tool call, with the same access and the same masking.
 */

import type { Result } from '../../../approvals/answer.ts';
import { ClerkError } from '../../../errors.ts';
import type { Completes } from '../prompts/define.ts';
import type { RequestContext } from '../request-context.ts';

export interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** An address, or a template of RFC 6570 level 1: `fareclerk://bookings/{locator}`. */
  readonly uri: string;
  readonly mimeType: string;
  /** The tool that reads it. Without the tool the resource is not offered. */
  readonly needs: string;
  readonly completes?: Readonly<Record<string, Completes>>;
  /** @throws ClerkError */
  read(variables: Readonly<Record<string, string>>, context: RequestContext): Promise<string | Uint8Array>;
}

export const isTemplate = ({ uri }: Resource): boolean => uri.includes('{');

/** The variables of an address; undefined if the address is not this resource's. */
export function matches({ uri: template }: Resource, uri: string): Readonly<Record<string, string>> | undefined {
  const names: string[] = [];
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name) => {
    names.push(name);
    return '([^/?#]{1,180})';
  });
  const found = new RegExp(`^${pattern}$`).exec(uri);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, decoded(found[i + 1] ?? '')]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @throws ClerkError if the tool answers with an error. */
export async function readByTool(
  { clerk, caller, signal }: RequestContext,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const how = { caller, canElicit: false, canOpenUrls: false, ...(signal && { signal }) };
  const answer = await clerk.call(tool, args, how);
  if (answer.kind !== 'result') throw new Error(`${tool} asked a question`);
  if (!answer.isError) return answer;
  const { code, message, next } = answer.structured.error as Pick<ClerkError, 'code' | 'message' | 'next'>;
  throw new ClerkError(code, message, { next });
}
