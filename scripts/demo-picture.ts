/**
 * Draws the terminal pictures of docs/images/ from the output of `fareclerk demo`:
 * `node scripts/demo-picture.ts`. Needs `npm run build`. Dates and handles are those of the day; a test compares the rest
 * with what the demo prints now.
 */
import { writeFileSync } from 'node:fs';
import { linesOf, outlineOf, recordDemo } from './picture/recording.ts';
import { filmSvg, stillSvg, wholeSvg } from './picture/terminal-svg.ts';

const TITLE = 'npx fareclerk demo';
const TRIP =
  'A terminal. A traveller asks an assistant for trains; the assistant searches and holds a booking. Before it pays, a dialog shows the exact terms and asks: no, or pay. Later a name is corrected and one of two trains is cancelled, each after a dialog of its own. At the end the ledger of the airline shows one payment and one refund.';
const QUESTION =
  'A terminal. The traveller says: pay it, on invoice. The assistant calls pay_booking. A dialog shows the exact terms, that is amount, flights, passengers, payment type and the rule for a refund, and asks: no, or pay. The person chooses to pay, and the tickets follow.';

const DISRUPTION_TITLE = 'npx fareclerk demo --disruption (without what the tools answer)';
const DISRUPTION =
  'A terminal. The airline cancels a train and calls nobody. The desk reads its bookings again: all twelve are noticed, and signed events go out. The clerk asks to move some and to cancel others; the assistant proposes a plan and runs it. The page asks once, with a tick for each of twelve lines. The person ticks ten and says yes. Nine lines are done; one whose answer was lost was settled by reading, and one that had changed was skipped. The ledger of the airline, the page, the report and the journal agree.';

/** The recordings that the pictures are drawn from. */
export interface Recordings {
  readonly trip: string;
  readonly disruption: string;
}

export async function recordBoth(): Promise<Recordings> {
  const [trip, disruption] = await Promise.all([recordDemo(), recordDemo('--disruption')]);
  return { trip, disruption };
}

/** Each picture by its file in docs/images/. */
export function demoPictures({ trip, disruption }: Recordings): Readonly<Record<string, string>> {
  const lines = linesOf(trip);
  const outline = outlineOf(linesOf(disruption));
  return {
    'demo.svg': filmSvg(lines, { title: TITLE, tells: TRIP }),
    'demo-still.svg': stillSvg(lines, { title: TITLE, tells: QUESTION }),
    'demo-disruption.svg': wholeSvg(outline, { title: DISRUPTION_TITLE, tells: DISRUPTION }),
  };
}

if (import.meta.main) {
  for (const [file, picture] of Object.entries(demoPictures(await recordBoth())))
    writeFileSync(new URL(`../docs/images/${file}`, import.meta.url), picture);
}
