/** Lists prompts and fills one in. */
import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { nearest } from '../../../domain/time-and-text/nearest-word.ts';
import type { Clerk } from '../../clerk.ts';
import { bookTrip } from './book-trip.ts';
import { checkDesk } from './check-desk.ts';
import type { Given, Prompt } from './define.ts';
import { explainRefund } from './explain-refund.ts';
import { quoteGroup } from './quote-group.ts';
import { rebookAfterCancellation } from './rebook-after-cancellation.ts';

export const PROMPTS: readonly Prompt[] = [bookTrip, rebookAfterCancellation, quoteGroup, explainRefund, checkDesk];

/** The prompts whose tools are all offered. */
function offered({ tools }: Pick<Clerk, 'tools'>): readonly Prompt[] {
  const names = new Set(tools.map(({ name }) => name));
  return PROMPTS.filter(({ needs }) => needs.every((tool) => names.has(tool)));
}

export function listPrompts(clerk: Pick<Clerk, 'tools'>): ListPromptsResult {
  return {
    prompts: offered(clerk).map(({ name, title, description, arguments: given }) => ({
      name,
      title,
      description,
      arguments: given.map(({ completes: _, ...argument }) => ({ ...argument })),
    })),
  };
}

export function getPrompt(
  clerk: Pick<Clerk, 'tools'>,
  name: string,
  given: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const prompt = offered(clerk).find((each) => each.name === name);
  if (prompt === undefined) throw refused(`There is no prompt of this name.${near(name, offered(clerk))}`);
  const text = prompt.says(filled(prompt, given));
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** Checks the arguments and drops empty ones. */
function filled({ arguments: known }: Prompt, given: Readonly<Record<string, string>>): Given {
  const unknown = Object.keys(given).find((name) => !known.some((argument) => argument.name === name));
  if (unknown !== undefined) throw refused(`There is no such argument.${near(unknown, known)}`);
  const values = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );
  const missing = known.filter(({ name, required }) => required && values[name] === undefined);
  if (missing.length > 0) throw refused(`Needed: ${missing.map(({ name }) => name).join(', ')}.`);
  return values;
}

function near(typed: string, known: readonly { readonly name: string }[]): string {
  const found = nearest(
    typed,
    known.map(({ name }) => name),
  );
  return found === undefined ? '' : ` Nearest: ${found}.`;
}

function refused(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
