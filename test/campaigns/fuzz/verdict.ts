/**
 * What must hold of every result, whatever came in.
 */
import * as z from 'zod';
import { askingFields, commonFields } from '../../../src/clerk/common-fields.ts';
import { isDirect } from '../../../src/tools/definition/define.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import type { Answer } from '../support/office.ts';

/**
 * Control, direction and lone surrogate characters, but for two of our own text: line ends, and the mark that turns the direction back
 * behind a quotation of a script that runs to the left (core/clean-text.ts).
 */
const UNCLEAN =
  /(?!\n)(?!(?<=“[^“”]*[\p{scx=Arab}\p{scx=Hebr}\p{scx=Thaa}][^“”]*”)\u200E)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export interface Seen {
  readonly outcome: string;
  /** What is wrong with it; absent: nothing. */
  readonly wrong?: string | undefined;
}

/** @param deep whether the result is held against its schema too */
export function judgeResult(answer: Answer, tool: string, deep: boolean): Seen {
  if (answer.kind !== 'result') {
    const text = answer.message;
    return { outcome: answer.kind, ...(UNCLEAN.test(text) && { wrong: 'unclean question' }) };
  }
  const { structured, text, isError } = answer;
  const error = structured.error as { code?: string; effect?: string; next?: string; message?: string } | undefined;
  const outcome = isError ? String(error?.code) : String(structured.status ?? 'ok');
  const wrong = (why: string): Seen => ({ outcome, wrong: why });
  if (outcome === 'E_INTERNAL') return wrong(`E_INTERNAL: ${error?.message}`);
  if (isError && (!error?.next || !/^(?:none|unknown)$/.test(error.effect ?? '')))
    return wrong('an error without its parts');
  // A mistyped field of `instead_of` is named; other searches are about no booking.
  if (isError && tool === 'search_fares' && /read_booking|(?<!instead_of\.)locator(?! instead)/.test(error?.next ?? ''))
    return wrong(`a search that ends in: ${error?.next}`);
  if (UNCLEAN.test(text)) return wrong(`unclean text: ${JSON.stringify(UNCLEAN.exec(text)?.[0])}`);
  if (text.length > 200_000) return wrong(`a text of ${text.length} characters`);
  if (deep) {
    const problem = invalid(tool, JSON.parse(JSON.stringify(structured)), isError);
    if (problem !== undefined) return wrong(`not its schema: ${problem}`);
  }
  return { outcome };
}

/** What is wrong with a result by all the fields that its tool and the server name; undefined: nothing. */
function invalid(name: string, structured: unknown, isError: boolean): string | undefined {
  const { success, error } = fieldsOf(name, isError).safeParse(structured);
  return success ? undefined : JSON.stringify(error.issues.slice(0, 3));
}

const known = new Map<string, z.ZodObject>();

/** The whole schema, and not the one of the list of tools, which leaves out and shortens. An error may lack any field of the tool. */
function fieldsOf(name: string, isError: boolean): z.ZodObject {
  const key = `${name} ${isError}`;
  const found = known.get(key) ?? wholeSchema(name, isError);
  known.set(key, found);
  return found;
}

function wholeSchema(name: string, isError: boolean): z.ZodObject {
  const tool = CATALOG.find((one) => one.name === name);
  // A tool that there is not has an error alone.
  if (tool === undefined) return z.object(commonFields()).required({ error: true });
  const asks = !isDirect(tool);
  const own = asks || isError ? tool.output().partial() : tool.output();
  const asking = asks ? z.object(askingFields()).partial().shape : {};
  return z.object({ ...commonFields(), ...asking, ...own.shape, ...(asks && orNamed(own.shape)) });
}

/** An act whose booking is not known yet names it alone. */
function orNamed({ booking }: Readonly<Record<string, z.ZodType>>) {
  return booking && { booking: z.union([booking, z.strictObject({ locator: z.string() })]) };
}
