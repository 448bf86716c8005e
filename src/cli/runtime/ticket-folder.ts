/** Writes tickets into the operator's folder (FARECLERK_TICKETS_DIR), for the local user alone. */
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ClerkError } from '../../core/errors.ts';
import type { TicketName } from '../../domain/booking/booking.ts';
import { ForeignError } from '../../files/foreign.ts';
import { ownFolder } from '../../files/own-files.ts';

/** The most versions of one ticket: the airline issues a new PDF after a change of seat. */
const MOST_VERSIONS = 50;

/**
 * Saves a ticket, and returns its path. No file is written twice: the same PDF keeps its path, and a different PDF of the same
 * ticket is saved with the next number.
 * @throws ClerkError E_CONFIG if the folder cannot be written
 */
export async function saveTicket(folder: string, ticket: TicketName, pdf: Uint8Array): Promise<string> {
  try {
    ownFolder(folder);
    for (let version = 1; version <= MOST_VERSIONS; version += 1) {
      const path = join(folder, fileName(ticket, version));
      if ((await writeNew(path, pdf)) || (await hasContent(path, pdf))) return path;
    }
  } catch (cause) {
    throw folderError(cause);
  }
  throw folderError();
}

/** Letters, digits and hyphens only, so that no name leads out of the folder. */
function fileName({ locator, number, coupon }: TicketName, version: number): string {
  const words = [locator, number, coupon].map((text) => text.replace(/[^A-Za-z0-9]/g, '').slice(0, 40) || '0');
  return `${words.join('-')}${version === 1 ? '' : `-v${version}`}.pdf`;
}

/** Writes a new file. False if something has this name already, a link included. */
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
    // An incomplete file would block this name.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

/** Whether the file is this PDF. Then makes it readable by this user alone. */
async function hasContent(path: string, pdf: Uint8Array): Promise<boolean> {
  // O_NOFOLLOW makes opening a link fail: a link is not the ticket. Windows does not have the flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size !== pdf.byteLength || !(await file.readFile()).equals(pdf)) return false;
    await file.chmod(0o600);
    return true;
  } finally {
    await file.close();
  }
}

function folderError(cause?: unknown): ClerkError {
  // The message may name the path: the result of a saved ticket names it, too.
  const why = cause instanceof ForeignError ? `cannot be used: ${cause.message}` : 'cannot be written';
  return new ClerkError('E_CONFIG', `The folder of FARECLERK_TICKETS_DIR ${why}. No ticket was saved.`, {
    next: 'Ask the operator to check the folder, or call get_tickets without save.',
    cause,
  });
}
