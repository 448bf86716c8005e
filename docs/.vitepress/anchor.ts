/** The anchor of a heading as GitHub makes it, so that a link to `errors.md#e_input` works there and on the site. */
export function anchor(heading: string): string {
  return heading
    .replaceAll(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
