/** Whether this Node.js can keep a SELECT from reaching anything but its tables. */

/** `setAuthorizer` of node:sqlite. */
export const AUTHORIZER_SINCE = '24.10';

/** Without loading node:sqlite, which no start should wait for. @param version as `process.versions.node` */
export function hasAuthorizer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, from = 0] = AUTHORIZER_SINCE.split('.').map(Number);
  // It came with 25.0 too.
  return major > least || (major === least && minor >= from);
}
