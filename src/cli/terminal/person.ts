/** Names the person at the terminal, for the journal. */
import { userInfo } from 'node:os';
import { cleanText } from '../../core/clean-text.ts';

/** `os:ann`; `os:user` for accounts without an entry (containers). */
export function osUser(): string {
  try {
    return `os:${userInfo().username}`;
  } catch {
    return 'os:user';
  }
}

/** The given name, or that of the OS user. */
export function personNamed(by: unknown): string {
  const name = typeof by === 'string' ? cleanText(by, 80) : '';
  return name === '' ? osUser() : name;
}
