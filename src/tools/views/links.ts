/**
 * Download links of tickets: given on only where they are the airline's own. They are data; nothing here fetches them.
 */

/** The link, if it lies under the airline's REST address: same origin and path below it, no credentials in it. */
export function ownLink(href: string, restUrl: string | undefined): string | undefined {
  if (restUrl === undefined || href.length > 1000 || !URL.canParse(href) || !URL.canParse(restUrl)) return undefined;
  const [link, base] = [new URL(href), new URL(restUrl)];
  const root = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  const own =
    link.origin === base.origin && link.pathname.startsWith(root) && link.username === '' && link.password === '';
  return own ? link.href : undefined;
}
