/**
 * What a prompt is: one common job, as a person picks it from a menu. Its words name the tools in their order; what the
 * person fills in is data, in quotation marks that it cannot close.
 */
import { quoted } from '../../../domain/time-and-text/clean-text.ts';

/** What a value of this argument stands for: completions.ts knows how to complete it. */
export type Completes = 'station' | 'locator';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  readonly completes?: Completes;
}

export interface Prompt {
  /** verb_noun, the file's name in kebab-case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Tools without which the job cannot be done: where one is not offered, neither is the prompt. */
  readonly needs: readonly string[];
  says(given: Given): string;
}

/** Arguments as filled in; absent where left empty. */
export type Given = Readonly<Record<string, string | undefined>>;

const MOST = 200;

/** One line per argument that was filled in: `From: “Jeddah”`. Empty where none was. */
export function filledIn(labels: Readonly<Record<string, string>>, given: Given): string {
  return Object.entries(labels)
    .flatMap(([name, label]) => (given[name] === undefined ? [] : [`${label}: ${quoted(given[name], MOST)}`]))
    .join('\n');
}

/** Steps as a numbered list. */
export function steps(...lines: readonly string[]): string {
  return lines.map((line, i) => `${i + 1}. ${line}`).join('\n');
}
