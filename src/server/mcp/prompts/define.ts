/**
 * A prompt: one common job that a person picks from a menu. Its text names the tools in order. What the person fills in
 * is data, in quotation marks that it cannot close.
 */
import { quoted } from '../../../domain/time-and-text/clean-text.ts';

/** What an argument's value is; completions.ts completes it. */
export type Completes = 'station' | 'locator';

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  readonly completes?: Completes;
}

export interface Prompt {
  /** verb_noun; the file has the same name in kebab-case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Required tools. Without one of them the prompt is not offered. */
  readonly needs: readonly string[];
  says(given: Given): string;
}

/** The filled-in arguments. */
export type Given = Readonly<Record<string, string | undefined>>;

const MOST = 200;

/** One line per filled-in argument: `From: “Jeddah”`. */
export function filledIn(labels: Readonly<Record<string, string>>, given: Given): string {
  return Object.entries(labels)
    .flatMap(([name, label]) => (given[name] === undefined ? [] : [`${label}: ${quoted(given[name], MOST)}`]))
    .join('\n');
}

export function steps(...lines: readonly string[]): string {
  return lines.map((line, i) => `${i + 1}. ${line}`).join('\n');
}
