/**
 * A view's document from its parts: one file that fetches nothing. Its scripts are written as modules and joined here,
 * because a view has no address that an import could be relative to.
 */

export interface ViewParts {
  readonly title: string;
  /** In the order in which they need one another. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Beside what the host sets: nothing is loaded, sent or submitted, even where a host forgets its own policy. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The parts as one script: every name at the top of a part is used but once. */
export function joined(scripts: readonly string[]): string {
  return scripts
    .map((script) => script.replace(/^import [^;]*;\n/gm, '').replace(/^export (?=const|function|async)/gm, ''))
    .join('\n');
}

export function viewDocument(title: string, script: string, style: string): string {
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
