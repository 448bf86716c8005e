/** Bad input in one field or in several: one error names all, so that one more call can fix them all. */
import { InputError, type InputFault } from './errors.ts';
import { listed } from './words.ts';

const MOST = 10;

/** Names the first ten, in the message and in `next`. `ifUnknown`: what to do for a value that the caller does not know. */
export function inputFaults(faults: readonly InputFault[], ifUnknown = ''): InputError {
  const shown = faults.slice(0, MOST);
  const more = faults.length > MOST ? [`${faults.length - MOST} more`] : [];
  const problems = shown.map(({ field, problem }) => `${field}: ${problem}`);
  const plain = shown.filter(({ next }) => next === undefined);
  const fields = (surplus: boolean) =>
    new Set(plain.filter((fault) => (fault.surplus === true) === surplus).map(({ field }) => field));
  const others = [...fields(false), ...more];
  const value = others.length === 1 ? 'a valid value' : 'valid values';
  const changes = [
    ...(fields(true).size === 0 ? [] : [`without ${listed([...fields(true)])}`]),
    ...(others.length === 0 ? [] : [`with ${value} for ${listed(others)}${ifUnknown}`]),
  ];
  const general = changes.length === 0 ? [] : [`Call the tool again ${changes.join(', and ')}.`];
  const next = [...new Set(shown.flatMap((fault) => fault.next ?? [])), ...general].join(' ');
  return new InputError(faults, [...problems, ...more.map((count) => `And ${count}.`)].join(' '), next);
}
