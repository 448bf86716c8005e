/** The statements of questions: what a reader sent to query_ledger for each question, who saw the questions and the tool's words only. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { DeskQuestion } from './question.ts';

const day = z.iso.date().optional();
/** `{Kraus}` stands for the locator of that booking. */
const statementSchema = z.strictObject({
  sql: z.string().min(1),
  ...{ from: day, to: day },
  locator: z.string().optional(),
  max_rows: z.int().optional(),
});

export type Statement = z.output<typeof statementSchema>;
export type Statements = ReadonlyMap<string, Statement>;

/** @throws Error for the id of no question */
export function readStatements(text: string, questions: readonly Pick<DeskQuestion, 'id'>[]): Statements {
  const statements = z.record(z.string(), statementSchema).parse(JSON.parse(text));
  const ids = new Set(questions.map(({ id }) => id));
  for (const id of Object.keys(statements)) if (!ids.has(id)) throw new Error(`no question has the id ${id}`);
  return new Map(Object.entries(statements));
}

/** @param folder has the file `statements.json` */
export const keptStatements = (questions: readonly Pick<DeskQuestion, 'id'>[], folder: string): Statements =>
  readStatements(readFileSync(join(folder, 'statements.json'), 'utf8'), questions);

/** Puts locators in the place of names. @throws Error for a name without a booking */
export function withLocators(text: string, locator: (name: string) => string): string {
  return text.replace(/\{([A-Z][a-z]+)\}/g, (_, name: string) => {
    const found = locator(name);
    if (found === '') throw new Error(`no booking of ${name}`);
    return found;
  });
}
