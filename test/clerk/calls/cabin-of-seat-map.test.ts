/** Seat maps of airlines that name the cabin where the booking names its class, on real sockets. */
import { expect, test } from 'vitest';
import type { Rewrite } from '../../support/sandbox/deviations.ts';
import { inEvery } from '../../support/sandbox/forms.ts';
import { preparedFor, seatedBooking } from './bookings.ts';
import { accept, openDesk } from './desk.ts';

type Names = Readonly<Record<string, string>>;

test.each<[dialect: 'rail' | 'airline', cabins: Names]>([
  ['rail', { Y: 'T', C: 'P' }],
  ['airline', { Y: 'ECONOMY', C: 'BUSINESS' }],
])('%s: takes seats from a map by cabin, and refuses the map of another cabin', async (dialect, cabins) => {
  let names = cabins;
  const rewrite: Rewrite = (reply, { name }) => {
    if (name !== 'OTA_AirSeatMapRQ') return reply;
    const named = (code: unknown) => names[String(code)] ?? code;
    return inEvery((object) =>
      'resBookDesigCode' in object ? { ...object, resBookDesigCode: named(object.resBookDesigCode) } : object,
    )(reply);
  };
  const desk = await openDesk({ sandbox: { dialect, rewrite } });
  const locator = await seatedBooking(desk);
  const { args } = preparedFor('assign_seats', locator);
  const done = await desk.say('assign_seats', { locator, ...args }, accept);
  expect(done.structured, done.text).toMatchObject({ status: 'done' });
  names = { Y: 'BUSINESS', C: 'T' };
  const { text } = await desk.result('get_seat_map', { locator, segment_refs: ['1'] });
  expect(text).toMatch(/^E_AIRLINE_REPLY: The airline sent the seats of .* in class \w+, asked for were those of /);
  await desk.close();
});
