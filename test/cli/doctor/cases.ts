/**
 * Broken set-ups, each over real sockets, and what the doctor must find. The guide shows their real output.
 */
import { AIRLINE } from './cases/airline.ts';
import { LOGIN } from './cases/login.ts';
import { REACHING } from './cases/reaching.ts';
import { SIGN_IN } from './cases/sign-in.ts';
import { STATE } from './cases/state.ts';
import type { Case } from './world.ts';

export const CASES: readonly Case[] = [...REACHING, ...LOGIN, ...AIRLINE, ...STATE, ...SIGN_IN];
