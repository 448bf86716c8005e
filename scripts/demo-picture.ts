/**
 * Draws the terminal pictures of docs/images/ from what `fareclerk demo` wrote in the tests: `node scripts/demo-picture.ts`.
 */
import { writeFileSync } from 'node:fs';
import { recorded } from './picture/recording.ts';
import { filmSvg, stillSvg, wholeSvg } from './picture/terminal-svg.ts';

const TITLE = 'npx fareclerk demo';
const TRIP =
  'A terminal. A traveller asks an assistant for trains; the assistant searches and holds a booking. Before it pays, a dialog shows the exact terms and asks: no, or pay. Later one of two trains is cancelled, after a dialog of its own.';
const QUESTION =
  'A terminal. The traveller says: pay it, on invoice. A dialog shows the exact terms, that is amount, trains, passengers and payment type, and asks: no, or pay. The person chooses to pay, and the tickets follow.';
const DISRUPTION =
  'A terminal. The airline cancels a train and calls nobody. The desk reads its bookings again: all twelve are noticed. The clerk asks to move some and to cancel others; the assistant says how many move, how many are cancelled, what is paid and what comes back at most. The demo ticks ten of twelve, and the person says yes once. Nine are done; one whose answer was lost was settled by reading, and one that had changed was skipped. Three are still open, and on the list.';

/** Each picture by its file in docs/images/. */
export function demoPictures(): Readonly<Record<string, string>> {
  const trip = recorded('trip');
  return {
    'demo.svg': filmSvg(trip, { title: TITLE, tells: TRIP }),
    'demo-still.svg': stillSvg(trip, { title: TITLE, tells: QUESTION }),
    'demo-disruption.svg': wholeSvg(recorded('disruption'), { title: `${TITLE} --disruption`, tells: DISRUPTION }),
  };
}

if (import.meta.main) {
  for (const [file, picture] of Object.entries(demoPictures()))
    writeFileSync(new URL(`../docs/images/${file}`, import.meta.url), picture);
}
