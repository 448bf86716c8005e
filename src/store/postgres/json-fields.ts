/** Fields of columns that hold JSON as text. */

/**
 * A text of PostgreSQL cannot hold U+0000 or half a surrogate pair, which JSON can write as an escape: reading any field
 * beside one would fail. The escape for an unknown character replaces it. `chr(92)` is the backslash, whatever
 * `standard_conforming_strings` says.
 */
function json(column: string): string {
  const odd = "chr(92) || chr(92) || 'u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})'";
  const tame = `regexp_replace(${column}, ${odd}, chr(92) || chr(92) || 'ufffd', 'g')`;
  return `(case when strpos(${column}, chr(92) || 'u') = 0 then ${column} else ${tame} end)`;
}

/** A field as text or null. */
export const fieldOf = (column: string, path: readonly string[]): string => inParsed(`${json(column)}::json`, path);

/** The whole column, parsed once. */
export const parsed = (column: string): string => `${json(column)}::jsonb`;

export const inParsed = (column: string, path: readonly string[]): string => `(${column} #>> '{${path.join()}}')`;
