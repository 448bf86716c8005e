/** Titles that people, and airlines, write into a name: `Mr. Jan`, `PARKER MRS`. They have a field of their own. */

const TITLE = '(?:mrs?|ms|miss|mstr|mme|mlle|dr)';
/** The kind of traveller that airlines add to a title, `MRS ADT`, or write at its end, `MRSADT`. */
const KIND = String.raw`(?:[\s.]*\(?(?:adt|chd|inf)\)?)?`;
const BEFORE_NAME = new RegExp(String.raw`^[\s.]*(?:${TITLE}(?:[\s.]+|$))+`, 'iu');
const BEHIND_NAME = new RegExp(String.raw`(?:[\s.]+${TITLE}${KIND})+[\s.]*$`, 'iu');
const TITLE_WORD = new RegExp(`^(${TITLE})${KIND}$`, 'iu');

/** A name without the titles before it, `Mr Dr Ann`, and those behind it with the kind of traveller: `ANN MRS ADT`. */
export function withoutTitles(name: string): string {
  return name.replace(BEFORE_NAME, '').replace(BEHIND_NAME, '');
}

/**
 * The title in a name, in capitals; undefined if there is none. A whole name may be one that is a name too, or initials: `Miss`, `MS`.
 */
export function titleIn(written: string): string | undefined {
  const name = written.replace(/[\s.]+/g, ' ').trim();
  const rest = withoutTitles(name);
  if (rest === name || (rest === '' && /^(?:miss|ms|dr)$/i.test(name))) return undefined;
  return name
    .split(' ')
    .flatMap((word) => TITLE_WORD.exec(word)?.[1] ?? [])[0]
    ?.toUpperCase();
}
