/**
 * What must hold of every result, whatever came in.
 */
import Ajv, { type ValidateFunction } from 'ajv';
import { liveSchemas } from '../../../src/clerk/schemas.ts';
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
    const problem = invalid(tool, JSON.parse(JSON.stringify(structured)));
    if (problem !== undefined) return wrong(`not its schema: ${problem}`);
  }
  return { outcome };
}

/** What is wrong with a result by its tool's own schema; undefined: nothing. */
function invalid(tool: string, structured: unknown): string | undefined {
  const validate = validators().get(tool);
  if (validate === undefined || validate(structured)) return undefined;
  return JSON.stringify(validate.errors?.slice(0, 3));
}

let compiled: ReadonlyMap<string, ValidateFunction> | undefined;
function validators(): ReadonlyMap<string, ValidateFunction> {
  if (compiled !== undefined) return compiled;
  const schemas = liveSchemas();
  // The class stands under `default` where the package is CommonJS.
  const Validator = (Ajv as unknown as { default?: typeof Ajv }).default ?? Ajv;
  const ajv = new (Validator as unknown as new (options: object) => { compile(schema: object): ValidateFunction })({
    ...{ strict: false, validateFormats: false },
  });
  compiled = new Map(CATALOG.map((tool) => [tool.name, ajv.compile(schemas.output(tool))]));
  return compiled;
}
