/** The server's icon as a data URI: a ticket with its stub, for light and dark backgrounds. */
const SVG =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='#1769aa' d='M2 6h20v4a2 2 0 0 0 0 4v4H2v-4a2 2 0 0 0 0-4z'/><path stroke='#fff' stroke-width='2' d='M16 8v8M6 10h6M6 14h4'/></svg>";

export const ICON = {
  src: `data:image/svg+xml,${encodeURI(SVG).replaceAll('#', '%23')}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
};
