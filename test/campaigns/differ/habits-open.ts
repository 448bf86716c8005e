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
  'pointers numbered anew': EVERY,
  'rules from now on': ['pay'],
  'rules from today or from the sale': ['pay'],
  'the same clock in Z': EVERY,
  'baggage in pieces': EVERY,
  'one language of rules, each in turn': EVERY,
  'names cut': EVERY,
  'a receipt of nothing': ['pay'],
  'a receipt without rows': ['pay'],
  'no seats': allBut('release'),
  'no names, now and then': allBut('names', 'passenger', 'contact'),
  'a middle name of its own, now and then': ['names'],
  'names masked, now and then': allBut('contact'),
  'an e-mail twice': ['passenger', 'contact'],
  'e-mail masked, now and then': ['passenger', 'contact'],
  'no e-mail, now and then': ['passenger', 'contact'],
  'no e-mail, before the send': ['passenger', 'contact'],
  'the same clock in another zone': allBut('contact'),
  'the same clock without a zone': allBut('contact', 'seats'),
  'price rows one minor unit off': ['rebook', 'leg', 'person'],
  'taxes one minor unit off': ['pay', 'rebook'],
  'a class with a blank': ['rebook'],
  'a class with a blank, in the hold too': ['rebook'],
  'stations in small letters': allBut('contact'),
  'no rules of changes': ['pay', 'release', 'rebook', 'leg', 'person', 'all'],
  'numbers without zeros, now and then': ['rebook', 'leg'],
  'numbers with zeros, now and then': ['rebook', 'leg'],
  'no orders, now and then': ['rebook'],
  'no price rows, now and then': ['rebook', 'leg', 'person'],
  'no tax lines, now and then': ['rebook'],
  'no rules, now and then': ['pay', 'release', 'rebook', 'leg', 'person', 'all'],
  'no orders, before the send': ['rebook'],
  'no tax lines, before the send': ['rebook'],
  'pointers as numbers': ['names', 'passenger', 'seats', 'person'],
  'a title glued to the given name, now and then': allBut('contact'),
  'a title behind the given name, now and then': allBut('contact'),
  'no documents, now and then': allBut('contact'),
  'no birth dates, now and then': allBut('contact'),
  'dates with a time, now and then': allBut('contact'),
  'no documents, before the send': allBut('contact'),
  'no birth dates, before the send': allBut('contact'),
  'a refund in two rows, now and then': ['leg', 'person'],
  'a refund in two orders, now and then': ['leg', 'person'],
  'no words of rules': ['leg', 'person', 'all'],
  'gender in one letter': ['names', 'passenger'],
  'gender in capitals': ['names', 'passenger'],
  'the expiry with a time': ['names', 'passenger'],
  'a refund in two orders after the first reading': ['leg', 'person'],
  'no arrival times': ['leg', 'all'],
  'no limits, now and then': ['pay', 'release'],
};
