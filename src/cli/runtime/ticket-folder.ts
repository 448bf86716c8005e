/** Writes tickets into the operator's folder (FARECLERK_TICKETS_DIR), for the local user alone. */
import { chmod, lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ClerkError } from '../../core/errors.ts';
import type { TicketName } from '../../domain/booking/ticket-documents.ts';

/** Versions of one ticket: the airline writes it anew after a change of seat. */
const MOST_VERSIONS = 50;

/**
 * Returns the path. A file is never written twice: a ticket that is there stays, and another content gets a name with the next
 * number. @throws ClerkError E_CONFIG if the folder cannot be written.
 */
export async function saveTicket(folder: string, ticket: TicketName, pdf: Uint8Array): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let version = 1; version <= MOST_VERSIONS; version += 1) {
      const path = join(folder, fileName(ticket, version));
      if ((await writeNew(path, pdf)) || (await holds(path, pdf))) return path;
    }
  } catch (cause) {
    throw notWritten(cause);
  }
  throw notWritten();
}

/** Letters, digits and hyphens only, so that no name leads out of the folder. */
function fileName({ locator, number, coupon }: TicketName, version: number): string {
  const parts = [locator, number, coupon].map((part) => part.replace(/[^A-Za-z0-9]/g, '').slice(0, 40) || '0');
  return `${parts.join('-')}${version === 1 ? '' : `-v${version}`}.pdf`;
}

/** False if there is something of this name, a link included. */
async function writeNew(path: string, pdf: Uint8Array): Promise<boolean> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    await file.writeFile(pdf);
    await file.sync();
  } catch (error) {
    // Half a ticket would keep its name from the whole one.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

async function holds(path: string, pdf: Uint8Array): Promise<boolean> {
  const stat = await lstat(path);
  if (!stat.isFile() || stat.size !== pdf.byteLength || !(await readFile(path)).equals(pdf)) return false;
  await chmod(path, 0o600);
  return true;
}

function notWritten(cause?: unknown): ClerkError {
  return new ClerkError('E_CONFIG', 'The folder of FARECLERK_TICKETS_DIR cannot be written. No ticket was saved.', {
    next: 'Ask the operator to check the folder, or call get_tickets without save.',
    cause,
  });
}
