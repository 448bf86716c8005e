/**
 * Who does something in the terminal, as the journal names them.
 */
import { userInfo } from 'node:os';
import { cleanText } from '../../domain/time-and-text/clean-text.ts';

/** `os:ann`; of accounts without an entry (containers): `os:user`. */
export function osUser(): string {
  try {
    return `os:${userInfo().username}`;
  } catch {
    return 'os:user';
  }
}

/** The name that was given, or the operating system's. */
export function personNamed(by: unknown): string {
  const name = typeof by === 'string' ? cleanText(by, 80) : '';
  return name === '' ? osUser() : name;
}
