/** Titles that people, and airlines, write into a name: `Mr. Jan`, `PARKER MRS`. They have a field of their own. */

const TITLE = '(?:mrs?|ms|miss|mstr|mme|mlle|dr)';
/** The kind of traveller that airlines add to a title, `MRS ADT`, or write at its end, `MRSADT`. */
const KIND = String.raw`(?: ?\(?(?:adt|chd|inf)\)?)?`;
// Of a name whose words are apart by one blank: longer gaps would be read again from each of their characters.
const BEFORE_NAME = new RegExp(`^ ?(?:${TITLE}(?: |$))+`, 'iu');
const BEHIND_NAME = new RegExp(`(?: ${TITLE}${KIND}){1,4} ?$`, 'iu');
const TITLE_WORD = new RegExp(`^(${TITLE})${KIND}$`, 'iu');

const withOneBlank = (name: string) => name.replace(/[\s.]+/g, ' ');

/** A name without the titles before it, `Mr Dr Ann`, and those behind it with the kind of traveller: `ANN MRS ADT`. */
export function withoutTitles(name: string): string {
  const words = withOneBlank(name);
  const rest = words.replace(BEFORE_NAME, '').replace(BEHIND_NAME, '').trim();
  return rest === words ? name : rest;
}

/**
 * The title in a name, in capitals; undefined if there is none. A whole name may be one that is a name too, or initials: `Miss`, `MS`.
 */
export function titleIn(written: string): string | undefined {
  const name = withOneBlank(written).trim();
  const rest = withoutTitles(name);
  if (rest === name || (rest === '' && /^(?:miss|ms|dr)$/i.test(name))) return undefined;
  return name
    .split(' ')
    .flatMap((word) => TITLE_WORD.exec(word)?.[1] ?? [])[0]
    ?.toUpperCase();
}
