/** Download links of tickets. Passes on only the airline's own; never fetches them. */
import { quoted } from '../../domain/time-and-text/clean-text.ts';

const LONGEST = 1000;
/** Characters that a URL parser drops or replaces, but that a person would copy. */
const ODD = /[\p{Cc}\p{Cf}\s\\]/u;
/** Escaped dots and slashes, which some servers decode and follow out of the folder. */
const ESCAPED_PATH = /%2f|%5c|%2e/i;

/** Returns the link if it has the origin of the REST address, a path below it and no credentials. */
export function ownLink(href: string, restUrl: string | undefined): string | undefined {
  if (restUrl === undefined || href.length > LONGEST || ODD.test(href)) return undefined;
  const [link, base] = [URL.parse(href), URL.parse(restUrl)];
  if (link === null || base === null || link.username !== '' || link.password !== '') return undefined;
  const root = `${base.pathname.replace(/\/+$/, '')}/`;
  const own = link.origin === base.origin && link.pathname.startsWith(root) && !ESCAPED_PATH.test(link.pathname);
  return own ? link.href : undefined;
}

const MOST_HOSTS = 3;

/** Returns at most one warning, with the number and hosts of withheld links. */
export function withheldLinks(links: readonly { readonly href: string }[], restUrl: string | undefined): string[] {
  const strange = new Set(links.map(({ href }) => href).filter((href) => ownLink(href, restUrl) === undefined));
  if (strange.size === 0) return [];
  const hosts = [...new Set([...strange].map(hostOf))];
  const more = hosts.length > MOST_HOSTS ? ` and ${hosts.length - MOST_HOSTS} more` : '';
  const where = hosts.slice(0, MOST_HOSTS).join(', ') + more;
  const count = strange.size === 1 ? '1 download link' : `${strange.size} download links`;
  return [`Not passed on: ${count} on ${where}, outside the airline's own address (FARECLERK_REST_URL).`];
}

function hostOf(href: string): string {
  const host = URL.parse(href)?.host ?? '';
  return host === '' ? 'an address without a host' : quoted(host, 60);
}
