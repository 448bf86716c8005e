/**
 * The page's style sheet: system fonts, nothing fetched, light and dark, from 320 px. Colours meet WCAG 2.2 AA
 * (test/browser).
 */
import { createHash } from 'node:crypto';

export const STYLE = `
:root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--text:#1a1d21;--soft:#4b535c;--line:#c3cad2;
--yes:#0a58a8;--on-yes:#fff;--badge:#6b3f00;--on-badge:#fff;--good:#0b6b3a;--bad:#a3191f;--wait:#6b3f00}
@media (prefers-color-scheme:dark){:root{--back:#101418;--card:#1a2026;--text:#eceff2;--soft:#b4bdc6;--line:#4a545e;
--yes:#8cc4ff;--on-yes:#06182b;--badge:#ffc766;--on-badge:#241500;--good:#6fd9a0;--bad:#ff9c96;--wait:#ffc766}}
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--back);color:var(--text)}
body{margin:0 auto;padding:1rem;max-width:42rem}
header{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;justify-content:space-between}
header p{margin:0;font-weight:600}
.badge{background:var(--badge);color:var(--on-badge);padding:.15rem .6rem;border-radius:.3rem}
main{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:1rem 0}
@media (min-width:40rem){main{padding:1.5rem 2rem}}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1rem;margin:1.25rem 0 .5rem}
.good{color:var(--good)}.bad{color:var(--bad)}.wait{color:var(--wait)}
.terms{list-style:none;margin:0;padding:0 0 0 .9rem;border-left:.25rem solid var(--line)}
.terms li{padding:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
.terms li:first-child{font-weight:600}
.said p{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
button,.again{flex:1 1 12rem;min-height:3rem;padding:.6rem 1rem;font:inherit;font-weight:600;border-radius:.4rem;
border:2px solid var(--yes);background:transparent;color:var(--text);cursor:pointer;overflow-wrap:anywhere;
text-align:center;text-decoration:none}
.again{display:inline-block;margin-top:.75rem;flex:none}
button.yes{background:var(--yes);color:var(--on-yes)}
:focus-visible{outline:3px solid var(--text);outline-offset:3px}
code{font-family:ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
footer{color:var(--soft);font-size:.875rem;overflow-wrap:anywhere}
`;

/** Allows only this style sheet (CSP level 3, `style-src`). */
export const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
