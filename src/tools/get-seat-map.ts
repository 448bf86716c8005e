import * as z from 'zod';
import { activeSegments } from '../domain/booking/booking.ts';
import { defineTool } from './definition/define.ts';
import { noted, strings } from './definition/field-notes.ts';
import { detail, locator, partFields } from './definition/input-fields.ts';
import { partByRefs } from './rules/find-by-ref.ts';
import { whyNotSeatMap } from './rules/permissions.ts';
import { refuse } from './rules/refusal.ts';
import { readNow } from './steps/record-booking.ts';
import { readSeatMaps, seatedTravelers } from './steps/seat-maps.ts';
import { LEGEND, seatsSummary, segmentSeatsSchema, viewSeatMap } from './views/seat-map.ts';
import { seatMapText } from './views/seat-map-text.ts';

export const getSeatMap = defineTool({
  name: 'get_seat_map',
  title: 'Get seat map',
  description: 'Seats of a paid booking by coach and row; detail full adds what each seat has.',
  toolset: 'core',
  view: 'seats',
  effect: 'read',
  input: () => ({
    locator: locator(),
    ...partFields(),
    detail: detail().optional(),
  }),
  output: () => ({
    ...strings({ legend: 'what the signs of the map mean' }),
    segments: noted('one entry for each flight or train', z.array(segmentSeatsSchema())),
  }),

  async run(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotSeatMap(booking, ctx.now()));
    const { segments, travelers } = partByRefs(
      { all: activeSegments(booking), refs: args.segment_refs, what: 'the active segments are' },
      { all: seatedTravelers(booking), refs: args.passenger_refs, what: 'the passengers with a seat are' },
    );
    const maps = await readSeatMaps(booking, segments, travelers, ctx);
    const viewed = maps.map((map) => viewSeatMap(booking, map, args.detail === 'full'));
    return { summary: seatsSummary(viewed), legend: LEGEND, segments: viewed };
  },

  text: ({ legend, segments }) => seatMapText(legend, segments),
});
