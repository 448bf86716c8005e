/** Habits of honest airlines that the program does not live with yet. */
import type { HabitName } from './habits.ts';
import type { ActName } from './irrelevant.ts';

const EVERY: readonly ActName[] = [
  'pay',
  'release',
  'names',
  'passenger',
  'contact',
  'rebook',
  'seats',
  'service',
  'leg',
  'person',
  'all',
];

const allBut = (...acts: readonly ActName[]): readonly ActName[] => EVERY.filter((act) => !acts.includes(act));

/**
 * By habit: acts that one yes is not enough for, or in which somebody hears of a difference, in either dialect, alone or in a plan. This
 * list only becomes shorter.
 */
export const OPEN: Readonly<Partial<Record<HabitName, readonly ActName[]>>> = {
  'pointers numbered anew': allBut('pay', 'release', 'contact'),
  'rules from today or from the sale': ['pay'],
  'the same clock in Z': ['rebook'],
  'names cut': EVERY,
  'a receipt of nothing': ['pay'],
  'a receipt without rows': ['pay'],
  'no seats': ['seats'],
  'no names, now and then': ['pay', 'seats', 'person'],
  'a middle name of its own, now and then': ['names'],
  'names masked, now and then': ['names', 'seats', 'person'],
  'an e-mail twice': ['passenger', 'contact'],
  'e-mail masked, now and then': ['passenger', 'contact'],
  'e-mail masked, before the send': ['passenger', 'contact'],
  'no e-mail, now and then': ['passenger', 'contact'],
  'no e-mail, before the send': ['passenger', 'contact'],
  'the same clock in another zone': ['rebook'],
  'the same clock without a zone': ['rebook', 'leg', 'all'],
  'price rows one minor unit off': ['rebook'],
  'taxes one minor unit off': ['pay', 'rebook'],
  'a class with a blank': ['rebook'],
  'a class with a blank, in the hold too': ['rebook'],
  'stations in small letters': ['rebook', 'seats', 'leg', 'all'],
  'no rules of changes': ['pay', 'release', 'rebook', 'leg', 'person', 'all'],
  'no price rows, now and then': ['rebook', 'leg', 'person'],
  'no tax lines, now and then': ['rebook'],
  'no rules, now and then': ['pay', 'release', 'rebook', 'leg', 'person', 'all'],
  'no tax lines, before the send': ['rebook'],
  'pointers as numbers': ['seats', 'person'],
  'a title glued to the given name, now and then': ['seats', 'person'],
  'a title behind the given name, now and then': ['seats', 'person'],
  'no documents, now and then': ['seats', 'person'],
  'no birth dates, now and then': ['seats', 'person'],
  'dates with a time, now and then': ['names', 'passenger', 'seats', 'person'],
  'no documents, before the send': ['seats', 'person'],
  'no birth dates, before the send': ['seats', 'person'],
  'a refund in two rows, now and then': ['leg', 'person'],
  'a refund in two orders, now and then': ['leg', 'person'],
  'no words of rules': ['leg', 'person', 'all'],
  'gender in one letter': ['names', 'passenger'],
  'gender in capitals': ['names', 'passenger'],
  'the expiry with a time': ['names', 'passenger'],
  'no limits, now and then': ['pay', 'release'],
};
