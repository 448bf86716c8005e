/** Says that what a command prints could not be written. */
import { readlinkSync } from 'node:fs';
import { own } from '../../core/own.ts';

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EFBIG: 'the file is as large as files may be here',
  EIO: 'the disk failed',
};

/** Whether an error of a stream says that a file takes no more. */
export function isUnwritten(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && own(WHY, String(error.code)) !== undefined;
}

/** `/var/export.csv could not be written to its end: the disk is full (ENOSPC).` */
export function unwrittenText({ code = 'no reason given' }: NodeJS.ErrnoException): string {
  return `${outputName()} could not be written to its end: ${own(WHY, code) ?? 'it takes no more'} (${code}).`;
}

/** The file behind stdout, where the platform tells. */
function outputName(): string {
  try {
    return readlinkSync('/proc/self/fd/1');
  } catch {
    return 'The output';
  }
}
