/** Says whether this Node.js can restrict a SELECT to its tables. */

/** The version of Node.js that added `setAuthorizer` to node:sqlite. */
export const AUTHORIZER_SINCE = '24.10';

/**
 * Whether node:sqlite has `setAuthorizer`. Does not load node:sqlite, because that would delay the start.
 * @param version as in `process.versions.node`
 */
export function hasAuthorizer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [sinceMajor = 0, sinceMinor = 0] = AUTHORIZER_SINCE.split('.').map(Number);
  // 25.0 has it too.
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}
