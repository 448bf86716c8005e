/**
 * Makes one-click install links from the registry entry.
 *
 * - VS Code: `vscode:mcp/install?` and the URL-encoded JSON that `code --add-mcp` takes (code.visualstudio.com, MCP
 *   developer guide, "MCP URL handler"). Pages that allow https links only go through insiders.vscode.dev/redirect.
 * - Cursor: `cursor://anysphere.cursor-deeplink/mcp/install`, the configuration as base64 of its JSON (cursor.com/docs,
 *   "MCP Install Links"); cursor.com/install-mcp takes the same two parameters.
 * - Claude Desktop opens the .mcpb file that a release carries.
 */

/**
 * The version that npm has under our name: the commit after a release sets it. Undefined before the first one: a link without a
 * published package would start whatever somebody else publishes under the name.
 */
export const PUBLISHED: string | undefined = undefined;

export interface Packaged {
  readonly name: string;
  readonly packages: readonly { readonly identifier: string; readonly runtimeHint: string }[];
}

export interface InstallLink {
  readonly host: string;
  /** For pages that allow any scheme. */
  readonly direct: string;
  /** For pages that allow https only, as GitHub does. */
  readonly web: string;
}

/** From `io.github.OWNER/REPOSITORY`, the registry's form for names on GitHub. */
export function repositoryOf(name: string): string {
  const [, owner, repository] = /^io\.github\.([^/]+)\/(.+)$/.exec(name) ?? [];
  if (owner === undefined) throw new Error(`${name} is not a name of a GitHub repository`);
  return `https://github.com/${owner}/${repository}`;
}

function vsCode(host: string, scheme: string, server: object): InstallLink {
  const direct = `${scheme}:mcp/install?${encodeURIComponent(JSON.stringify(server))}`;
  return { host, direct, web: `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(direct)}` };
}

/** @param version that is published: another one of the same name is never started */
export function installLinks({ name, packages: [npm] }: Packaged, version: string): readonly InstallLink[] {
  if (npm === undefined) throw new Error('nothing is packaged');
  const { identifier, runtimeHint: command } = npm;
  const config = { command, args: ['-y', `${identifier}@${version}`] };
  const server = { name: identifier, ...config };
  const encoded = encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'));
  const query = `name=${encodeURIComponent(identifier)}&config=${encoded}`;
  const bundle = `${repositoryOf(name)}/releases/download/v${version}/${identifier}.mcpb`;
  return [
    vsCode('VS Code', 'vscode', server),
    vsCode('VS Code Insiders', 'vscode-insiders', server),
    {
      host: 'Cursor',
      direct: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
      web: `https://cursor.com/install-mcp?${query}`,
    },
    { host: 'Claude Desktop (.mcpb)', direct: bundle, web: bundle },
  ];
}

const BLOCK = /(?<=<!-- install -->\n)[\s\S]*?(?=<!-- \/install -->)/;

const NONE = 'Nothing is published yet. Links that install in one click come with the first release.';

/** A page with its links between `<!-- install -->` and `<!-- /install -->`; without a published version it has none. */
export function withInstallLinks(
  page: string,
  entry: Packaged,
  kind: 'direct' | 'web',
  published: string | undefined = PUBLISHED,
): string {
  if (!BLOCK.test(page)) throw new Error('the page has no place for the links');
  const links = published === undefined ? [] : installLinks(entry, published);
  const named = links.map(({ host, [kind]: to }) => `[${host}](${to})`).join(' · ');
  return page.replace(BLOCK, () => `\n${named === '' ? NONE : `**Install in one click:** ${named}`}\n\n`);
}
