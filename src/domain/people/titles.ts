/** Titles that people, and airlines, write into a name: `Mr. Jan`, `PARKER MRS`. They have a field of their own. */

/** A word without dots. */
const TITLE = /^(?:mrs?|ms|miss|mstr|mme|mlle|dr)$/iu;
/** The kind of traveller that airlines add to a title, `MRS ADT`, or write at its end, `MRSADT`. */
const KIND_BEHIND_TITLE = /\(?(?:adt|chd|inf)\)?$/iu;

/**
 * A name without the titles before it, `Mr Dr Ann`, and those behind it with the kind of traveller that airlines add: `ANN MRS ADT`.
 * A name without titles stays as it is written.
 */
export function withoutTitles(name: string): string {
  const words = name.split(/[\s.]+/).filter((word) => word !== '');
  const isTitle = (at: number) => TITLE.test(words[at] ?? '');
  let first = 0;
  while (first < words.length && isTitle(first)) first += 1;
  const last = words.at(-1) ?? '';
  const lastWithoutKind = last.replace(KIND_BEHIND_TITLE, '');
  let end = words.length;
  if (lastWithoutKind !== last && end - 1 > first) {
    // The kind counts only behind a title.
    if (lastWithoutKind === '' && end - 2 > first && isTitle(end - 2)) end -= 1;
    else if (TITLE.test(lastWithoutKind)) end -= 1;
  }
  while (end - 1 > first && isTitle(end - 1)) end -= 1;
  if (first === 0 && end === words.length) return name;
  return words.slice(first, end).join(' ');
}

/**
 * The title in a name, in capitals; undefined if there is none. A whole name may be one that is a name too, or initials: `Miss`, `MS`.
 */
export function titleIn(written: string): string | undefined {
  const name = written.replace(/[\s.]+/g, ' ').trim();
  const rest = withoutTitles(name);
  if (rest === name || (rest === '' && /^(?:miss|ms|dr)$/i.test(name))) return undefined;
  const words = name.split(' ').map((word) => (TITLE.test(word) ? word : word.replace(KIND_BEHIND_TITLE, '')));
  return words.find((word) => TITLE.test(word))?.toUpperCase();
}
