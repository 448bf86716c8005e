/** Takes the words of programs out of a sentence, for the person who decides: names of tools, ids of operations. */
import type { Acts } from '../journal/act.ts';

/** `payment` for `pay_booking`; other names stay. */
export function actWord(acts: Acts, tool: string): string {
  return acts.named(tool)?.word ?? tool;
}

export function forPerson(acts: Acts, sentence: string): string {
  return sentence
    .replace(/\b[a-z]+_[a-z_]+\b/g, (name) => actWord(acts, name))
    .replace(/ \(operation [\w-]+\)/g, '')
    .replace(/\(operation [\w-]+, /g, '(');
}
