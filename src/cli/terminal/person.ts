/** Names the person at the terminal, for the journal. */
import { userInfo } from 'node:os';
import { cleanText } from '../../core/clean-text.ts';

/** The most characters of a name. */
const LONGEST_NAME = 80;

/** `os:ann`; `os:user` for accounts without an entry (containers). */
export function osUser(): string {
  try {
    return `os:${userInfo().username}`;
  } catch {
    return 'os:user';
  }
}

/** Reads `--by`. Default: the OS user. */
export function personNamed(by: unknown): string {
  const name = typeof by === 'string' ? cleanText(by, LONGEST_NAME) : '';
  return name === '' ? osUser() : name;
}
