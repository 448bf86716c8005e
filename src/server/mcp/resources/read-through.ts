/**
 * Reads by a tool of the clerk, within the caller's reach, and under the same guard as a tool call.
 */
import { ClerkError } from '../../../errors.ts';
import type { Result } from '../../answer.ts';
import type { Visitor } from '../request-context.ts';

interface ToldError {
  readonly code: ClerkError['code'];
  readonly message: string;
  readonly next: string;
}

/** @throws ClerkError as the tool tells it */
export async function readThrough(
  { clerk, caller, signal }: Visitor,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const how = { caller, canElicit: false, canOpenUrls: false, ...(signal && { signal }) };
  const answer = await clerk.call(tool, args, how);
  if (answer.kind !== 'result') throw new Error(`${tool} asked a question`);
  if (!answer.isError) return answer;
  const { code, message, next } = answer.structured.error as ToldError;
  throw new ClerkError(code, message, { next });
}
