/** Habits of honest airlines that the program does not live with yet. */
import type { HabitName } from './habits.ts';
import type { ActName } from './irrelevant.ts';

/**
 * By habit: acts that one yes is not enough for, or in which somebody hears of a difference, in either dialect, alone or in a plan. This
 * list only becomes shorter.
 */
export const OPEN: Readonly<Partial<Record<HabitName, readonly ActName[]>>> = {
  // A hold says that its name is cut: the ticket will have it so.
  'names cut': ['pay'],
  'a receipt of nothing': ['pay'],
  'a receipt without rows': ['pay'],
};
