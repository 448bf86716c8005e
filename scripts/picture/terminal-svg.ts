/**
 * Draws lines of a terminal as an SVG, light or dark by the reader's scheme. CSS plays it once; it is still if the reader
 * wants no motion.
 */
import { plain, type Span } from './recording.ts';

const COLUMNS = 80;
const ROWS = 32;
const CELL = { width: 8.4, height: 18 };
const PADDING = 16;
const BAR = 34;
const WIDTH = COLUMNS * CELL.width + 2 * PADDING;

/** Every colour has a contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3). */
const STYLE = `
svg{--ground:#fff;--bar:#eaeef2;--edge:#d0d7de;--plain:#1f2328;--dim:#59636e;--cyan:#0a6c8f;--green:#116329;--yellow:#7d4e00;--magenta:#8250df;--red:#b3202a}
@media(prefers-color-scheme:dark){svg{--ground:#0d1117;--bar:#161b22;--edge:#30363d;--plain:#e6edf3;--dim:#9198a1;--cyan:#56d4dd;--green:#56d364;--yellow:#e3b341;--magenta:#d2a8ff;--red:#ff7b72}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;fill:var(--plain);white-space:pre}
.bold{font-weight:700}.lines path{fill:none;stroke:var(--dim)}.lines path.magenta{stroke:var(--magenta)}.dim{fill:var(--dim)}.cyan{fill:var(--cyan)}.green{fill:var(--green)}.yellow{fill:var(--yellow)}.magenta{fill:var(--magenta)}.red{fill:var(--red)}
`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const round = (value: number): string => String(Math.round(value * 100) / 100);

const x = (column: number): string => round(column * CELL.width);

/** Places words on the grid of columns, for any font width. */
function words(text: string, column: number, row: number, style: string): string {
  const named = style === '' ? '' : ` class="${style}"`;
  const place = `x="${x(column)}" y="${row * CELL.height + 13}" textLength="${x(text.length)}"`;
  return `<text ${place}${named}>${escaped(text)}</text>`;
}

/** `┌`, `│`, `└` and `─` are drawn: letters of that kind do not meet in every font. */
function frame(text: string, column: number, row: number): string {
  const [middle, left] = [row * CELL.height + 9, round((column + 0.5) * CELL.width)];
  const [above, below] = [row * CELL.height, (row + 1) * CELL.height];
  const end = x(column + text.length);
  if (text.startsWith('┌')) return `M${left} ${below}V${middle}H${end}`;
  if (text.startsWith('└')) return `M${left} ${above}V${middle}H${end}`;
  return text.startsWith('│') ? `M${left} ${above}V${below}` : `M${x(column)} ${middle}H${end}`;
}

const PIECE = /[┌└│─]+|[^ ┌└│─]+(?: [^ ┌└│─]+)*/g;

function drawn(line: readonly Span[], row: number): string {
  let start = 0;
  return line
    .flatMap(({ text, style }) => {
      const column = start;
      start += text.length;
      return [...text.matchAll(PIECE)].map(({ 0: piece, index }) =>
        /[┌└│─]/.test(piece)
          ? `<path class="${style || 'line'}" d="${frame(piece, column + index, row)}"/>`
          : words(piece, column + index, row, style),
      );
    })
    .join('');
}

/** One step of the animation: its lowest line, and its duration in seconds. */
interface Moment {
  readonly lowest: number;
  readonly seconds: number;
}

/** One moment per question and one per end of a step: as long as its lines take to be skimmed. */
function moments(lines: readonly string[]): readonly Moment[] {
  let before = 0;
  return lines.flatMap((line, lowest) => {
    const ends = line.includes('your choice (') || lines[lowest + 1] === '' || lowest === lines.length - 1;
    if (!ends || lowest < ROWS - 1) return [];
    const seconds = 1 + (lowest - before) * 0.16;
    before = lowest;
    return [{ lowest, seconds }];
  });
}

const shift = (lowest: number): string => `translate(0,${(ROWS - 1 - lowest) * CELL.height}px)`;

function film(played: readonly Moment[], still: string): string {
  const all = played.reduce((sum, { seconds }) => sum + seconds, 0);
  let at = 0;
  const frames = played.map(({ lowest, seconds }) => {
    const frame = `${round((at / all) * 100)}%{transform:${shift(lowest)}}`;
    at += seconds;
    return frame;
  });
  return `.film{transform:${still};animation:film ${round(all)}s step-end 1}
@keyframes film{${frames.join('')}100%{transform:${still}}}
@media(prefers-reduced-motion:reduce){.film{animation:none}}`;
}

export interface Picture {
  readonly title: string;
  /** Text for people who cannot see the picture. */
  readonly tells: string;
}

/** The whole, played once; it ends on the first question, which is also what is shown where nothing moves. */
export function filmSvg(lines: readonly (readonly Span[])[], picture: Picture): string {
  const texts = lines.map(plain);
  return windowSvg(lines, ROWS, film(moments(texts), shift(questionIn(texts))), picture);
}

/** The step with the first question alone, for readers who want no motion. */
export function stillSvg(lines: readonly (readonly Span[])[], picture: Picture): string {
  const texts = lines.map(plain);
  const question = questionIn(texts);
  const step = lines.slice(texts.lastIndexOf('', question) + 1, texts.indexOf('', question));
  return windowSvg(step, step.length, '', picture);
}

/** All lines at once. */
export function wholeSvg(lines: readonly (readonly Span[])[], picture: Picture): string {
  return windowSvg(lines, lines.length, '', picture);
}

function questionIn(texts: readonly string[]): number {
  const question = texts.findIndex((line) => line.includes('your choice ('));
  if (question < 0) throw new Error('nothing was asked: there is no still picture');
  return question;
}

function windowSvg(lines: readonly (readonly Span[])[], shown: number, motion: string, it: Picture): string {
  const height = shown * CELL.height + PADDING + BAR;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t d">
<title id="t">${escaped(it.title)}</title>
<desc id="d">${escaped(it.tells)}</desc>
<style>${STYLE}${motion}</style>
<rect x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="var(--ground)" stroke="var(--edge)"/>
<path d="M1 ${BAR - 8}V8a7 7 0 0 1 7-7H${WIDTH - 8}a7 7 0 0 1 7 7V${BAR - 8}Z" fill="var(--bar)"/>
<text x="${WIDTH / 2}" y="18" text-anchor="middle" class="dim">${escaped(it.title)}</text>
<svg x="${PADDING}" y="${BAR}" width="${COLUMNS * CELL.width}" height="${shown * CELL.height}" overflow="hidden" aria-hidden="true"><g class="film lines">
${lines
  .map(drawn)
  .filter((row) => row !== '')
  .join('\n')}
</g></svg>
</svg>
`;
}
