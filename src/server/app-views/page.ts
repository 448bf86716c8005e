/** The frame of a view's document: one file that fetches nothing. */

/** In addition to the host's own policy: nothing is loaded, sent or submitted. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function viewPage(title: string, script: string, style: string): string {
  if (/<\/(?:script|style)/i.test(script + style)) throw new Error('a view ends its own script or style');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${POLICY}">
<title>${title}</title>
<style>${style}</style>
<main aria-busy="true"><p>Waiting for the result …</p></main>
<p role="status"></p>
<script type="module">${script}</script>
</html>
`;
}
