/**
 * Draws the terminal pictures of docs/images/ from the output of `fareclerk demo`:
 * `node scripts/demo-picture.ts`. Needs `npm run build`. Dates and handles are those of the day; a test compares the rest
 * with what the demo prints now.
 */
import { writeFileSync } from 'node:fs';
import { linesOf, recordDemo } from './picture/recording.ts';
import { filmSvg, stillSvg } from './picture/terminal-svg.ts';

const TITLE = 'npx fareclerk demo';
const TRIP =
  'A terminal. A traveller asks an assistant for trains; the assistant searches and holds a booking. Before it pays, a dialog shows the exact terms and asks: no, or pay. Later a name is corrected and one of two trains is cancelled, each after a dialog of its own. At the end the ledger of the airline shows one payment and one refund.';
const QUESTION =
  'A terminal. The traveller says: pay it, on invoice. The assistant calls pay_booking. A dialog shows the exact terms, that is amount, flights, passengers, payment type and the rule for a refund, and asks: no, or pay. The person chooses to pay, and the tickets follow.';

/** Each picture of a recording by its file in docs/images/. */
export function demoPictures(written: string): Readonly<Record<string, string>> {
  const lines = linesOf(written);
  return {
    'demo.svg': filmSvg(lines, { title: TITLE, tells: TRIP }),
    'demo-still.svg': stillSvg(lines, { title: TITLE, tells: QUESTION }),
  };
}

if (import.meta.main) {
  for (const [file, picture] of Object.entries(demoPictures(await recordDemo())))
    writeFileSync(new URL(`../docs/images/${file}`, import.meta.url), picture);
}
