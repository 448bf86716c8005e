/** The style sheet and the script that all pages share, with the hashes by which their content security policy allows them. */
import { createHash } from 'node:crypto';
import { PASTED_LIST } from '../details/list-script.ts';

/** Light and dark. The colours meet WCAG 2.2 AA (test/browser). */
const COLOURS = `
:root{color-scheme:light dark;--back:#f3f5f8;--card:#fff;--text:#14181d;--soft:#4b535c;--line:#c9d0d8;--tint:#eef4fb;
--act:#0a58a8;--on-act:#fff;--badge:#6b3f00;--on-badge:#fff;--good:#0b6b3a;--bad:#a3191f;--wait:#6b3f00;
--warn:#fff3d6;--on-warn:#4a2f00;--warn-line:#c98a00}
.cancellation{--act:#a3191f;--tint:#fdf1f0}
.change{--act:#4a3aa8;--tint:#f2f0fb}
@media (prefers-color-scheme:dark){
:root{--back:#101418;--card:#1a2026;--text:#eceff2;--soft:#b4bdc6;--line:#47515b;--tint:#1c2b3a;
--act:#8cc4ff;--on-act:#06182b;--badge:#ffc766;--on-badge:#241500;--good:#6fd9a0;--bad:#ff9c96;--wait:#ffc766;
--warn:#3a2c08;--on-warn:#ffe3a6;--warn-line:#d9a52e}
.cancellation{--act:#ff9c96;--on-act:#2b0605;--tint:#3a1f1f}
.change{--act:#bdb2ff;--on-act:#140b3a;--tint:#262240}}`;

/** What every page has. It fits a screen from 320 px, with the fonts of the system, and fetches nothing. */
const FRAME = `
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--back);color:var(--text)}
body{margin:0 auto;padding:1rem;max-width:44rem;background:var(--back);color:var(--text)}
header{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;justify-content:space-between}
header p{margin:0;font-weight:600}
.badge{background:var(--badge);color:var(--on-badge);padding:.15rem .6rem;border-radius:.3rem}
main{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:1rem 0}
.payment main,.cancellation main,.change main{border-top:.4rem solid var(--act)}
@media (min-width:40rem){main{padding:1.25rem 2rem 1.5rem}}
h1,button{text-wrap:balance}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 .4rem;overflow-wrap:anywhere}
h2{font-size:.875rem;font-weight:600;margin:0 0 .15rem;color:var(--soft)}
p,li{overflow-wrap:anywhere;unicode-bidi:isolate}
p{margin:.4rem 0}
svg{flex:none;width:1.25em;height:1.25em;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
a{color:inherit}
ul{list-style:none;margin:0;padding:0}
li{padding:.1rem 0;white-space:pre-wrap}
mark{background:var(--warn);color:var(--on-warn);border-bottom:2px solid var(--warn-line)}
section{margin:.9rem 0}
code{font-family:ui-monospace,Menlo,Consolas,monospace}
.silent{margin:1rem 0 0;padding:.6rem .8rem;border:2px solid var(--warn-line);border-radius:.4rem;background:var(--warn);color:var(--on-warn)}
footer{color:var(--soft);font-size:.875rem}
.soft{color:var(--soft);font-size:.9rem}
:focus-visible{outline:3px solid var(--text);outline-offset:3px}`;

const QUESTION = `
.kind{display:flex;gap:.4rem;align-items:center;margin:0 0 .3rem;font-weight:700;color:var(--act)}
.payment h1,.cancellation h1,.change h1{font-size:1.75rem}
@media (min-width:40rem){.payment h1,.cancellation h1,.change h1{font-size:2.1rem}}
.lead{font-size:1.05rem}
.caution{display:flex;gap:.6rem;margin:.9rem 0;padding:.6rem .8rem;border-radius:.4rem;border:2px solid var(--warn-line);
background:var(--warn);color:var(--on-warn);font-weight:600}
.caution p{margin:0}
.refund{padding:.6rem .9rem;border-radius:.4rem;border-left:.3rem solid var(--act);background:var(--tint)}
.refund p{margin:0;font-size:1.1rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
li svg,.where svg{width:1em;height:1em;vertical-align:-.12em}
.change .people li{font-weight:600}
li.ride{display:grid;max-width:44rem;grid-template-columns:minmax(0,1fr) auto minmax(0,1fr);gap:0 .5rem;padding:.4rem 0;white-space:normal;
font-weight:400;grid-template-areas:"day . name" "left arrow there" "from . to" "zone more more"}
.ride svg{grid-area:arrow;align-self:center}
.ride strong{font-size:1.15rem;font-variant-numeric:tabular-nums}
.name{grid-area:name;text-align:right}.day{grid-area:day}.left{grid-area:left}.there{grid-area:there}
.from{grid-area:from}.to{grid-area:to}.zone{grid-area:zone}.more{grid-area:more;text-align:right}
.ride .zone,.ride .more,.ride .name{color:var(--soft);font-size:.9rem}
@media (min-width:40rem){li.ride{grid-template-columns:6rem minmax(0,1fr) auto minmax(0,1fr) minmax(0,11rem);gap:0 .8rem;
grid-template-areas:"day left arrow there name" "zone from . to more"}}
li.renaming{display:grid;grid-template-columns:3rem minmax(0,1fr);gap:.1rem .5rem;white-space:normal;font-size:1.15rem}
.renaming .who{grid-column:1/-1;font-size:1rem}.renaming .verb{color:var(--soft);font-weight:400}
.changes li{font-size:1.05rem;padding:.5rem 0;border-top:1px solid var(--line)}
.note li{color:var(--soft);font-size:.95rem}
details{margin:.6rem 0}
summary{cursor:pointer;min-height:1.5rem;text-decoration:underline}
details p{white-space:pre-wrap;color:var(--soft);font-size:.95rem}
.gist{font-size:1.05rem}
.where{color:var(--soft)}
.asks{margin:.6rem 0 .8rem;padding-bottom:.4rem;border-bottom:1px solid var(--line)}
.asks p{margin:.2rem 0}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1rem}
button,.again{flex:1 1 12rem;min-height:3.2rem;padding:.6rem 1rem;font:inherit;font-weight:700;border-radius:.4rem;
border:2px solid var(--text);background:transparent;color:var(--text);cursor:pointer;overflow-wrap:anywhere;
text-align:center;text-decoration:none}
.again{display:inline-flex;align-items:center;margin-top:.75rem;flex:none}
button.yes{background:var(--act);border-color:var(--act);color:var(--on-act)}`;

const OUTCOME = `
.outcome h1,.list h1{font-size:1.75rem}
h1 svg{margin-right:.5rem;vertical-align:-.2em}
.good{color:var(--good)}.bad{color:var(--bad)}.wait{color:var(--wait)}
.about{color:var(--soft)}
.said p{white-space:pre-wrap;font-size:1.05rem}
.tickets li,.inbox li{display:flex;flex-direction:column;gap:.15rem;white-space:normal;padding:.7rem 0;border-top:1px solid var(--line)}
.file{align-self:flex-start;padding:.35rem .8rem;margin-top:.3rem;border:2px solid var(--text);border-radius:.4rem;font-weight:600;text-decoration:none}
.inbox li{padding:.8rem 0 .8rem .8rem;border-left:.3rem solid var(--act)}
.inbox li+li{margin-top:.6rem}
.inbox a,.inbox .about{font-size:1.1rem;color:inherit}
.inbox .what{display:block;font-size:1rem}
.decided .no{color:inherit}
.sum{font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.list h2{margin-top:1.2rem}
`;

const PLAN = `
body.plan{max-width:68rem}
.plan form:not(.bar){display:block}
.heads{display:none}
.rows>li{white-space:normal;padding:.35rem 0;border-top:1px solid var(--line)}
.rows>li>*{margin:0}
.rows>li>.moves{display:flex;flex-wrap:wrap;gap:0 .5rem;justify-content:space-between}
.rows>li>.tick~.moves,.rows>li>.tick~.soft,.rows>li>.terms{margin-left:2.2rem}
.moves>:last-child{margin-left:auto;text-align:right}
.rows ul,.plan td ul{margin:.2rem 0 .8rem 1rem}
.tick{display:flex;gap:.7rem;align-items:flex-start;min-height:2.75rem;overflow-wrap:anywhere}
.tick>span{min-width:0}
.tick input{flex:none;width:1.5rem;height:1.5rem;margin:.1rem 0 0;accent-color:var(--act)}
.was{color:var(--soft);font-size:.9rem}
.rows>li>.caution{margin:.3rem 0}
.bar{position:sticky;bottom:0;display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;margin:0 -.25rem;padding:.6rem .25rem;
background:var(--card);border-top:2px solid var(--text)}
.bar p{flex:1 1 100%;margin:0;font-variant-numeric:tabular-nums}.bar [role=status]{font-weight:700}
.bar .label{font-weight:400}
.bar .moves{display:flex;flex-wrap:wrap;gap:0 .5rem;justify-content:space-between}
.bar button{min-height:2.75rem;padding:.4rem .25rem}.plan .bar button{flex:1 1 6rem}.plan .bar .yes{flex-basis:9.5rem}
html:has(.bar){scroll-padding:1rem 0 11rem}
@media (min-width:52rem){
.heads,.rows>li,.sums{display:grid;grid-template-columns:minmax(0,1fr) 8rem 14rem 5rem;gap:0 1rem;align-items:start}
.heads{color:var(--soft);font-size:.875rem;text-align:right;padding-bottom:.2rem}.heads span:first-child{grid-column:2}
.rows>li>.moves{display:block;text-align:right}
.rows>li>.tick~*{margin-left:0}
.rows .moves>.label{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.rows>li>.soft,.rows>li>.caution,.rows>li>.terms[open]{grid-column:1/-1}.rows>li>.soft,.rows>li>.terms[open]{margin-left:2.2rem}
.bar .moves{display:block;text-align:right}.bar .moves>*{display:block}}
button.ticks{min-height:2.75rem;padding:.2rem;border:0;font-weight:400;color:inherit;text-decoration:underline}
button.hidden{min-height:0;padding:0;border:0}
details .act{font-weight:600;color:var(--text)}
table{border-collapse:collapse;width:100%;margin:1rem 0}
th{text-align:left;font-size:.875rem;color:var(--soft)}
th,td{padding:.6rem 1rem .6rem 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th.amount,td.amount{text-align:right}
td.amount:last-child,th.amount:last-child{padding-right:.6rem}
td p:first-child{margin-top:0}
.money{white-space:nowrap;font-variant-numeric:tabular-nums}
.label,.none{color:var(--soft)}
.state{display:flex;gap:.5rem;font-weight:700}
.needs{background:var(--tint)}
.needs td:first-child{border-left:.3rem solid var(--bad);padding-left:.6rem}
@media (min-width:52rem){.label{display:none}th,td{width:8rem}th:nth-child(2),td:nth-child(2){width:auto}th:first-child,td:first-child{width:11rem}}
@media (max-width:52rem){table,tbody,tr,td{display:block}thead{position:absolute;clip-path:inset(50%);overflow:hidden;width:1px;height:1px}
tr{padding:.6rem 0;border-top:1px solid var(--line)}td{padding:.1rem 0;border:0}
td.amount,td.amount:last-child{display:flex;flex-wrap:wrap;gap:0 .5rem;justify-content:space-between;padding-right:0}td.none,td.none:last-child{display:none}
.needs{border-left:.3rem solid var(--bad);padding:.6rem}.needs td:first-child{border:0;padding-left:0}}
@media print{button,.asks,.limit,.again,.close,.file,footer a{display:none}body{max-width:none}}
`;

const DETAILS = `
.details main{border-top:.4rem solid var(--act)}
.details form{display:block}
.details h1{font-size:1.75rem}
fieldset{min-width:0;margin:0;padding:0;border:0}
.card{margin:1.2rem 0;padding:.2rem .7rem 1rem;border:2px solid var(--line);border-radius:.6rem}
legend{padding:0;font-weight:600}
.card>legend,.details .card>summary{padding:0 .4rem;font-size:1.2rem;font-weight:700}
details.card{padding:0 .7rem}details.card[open]{padding-bottom:1rem}details.card:not([open]){margin:.5rem 0}
.details .card>summary{padding:.6rem 0;text-decoration:none;overflow-wrap:anywhere}
.details main{overflow-anchor:none}
.card:not([open])>summary{font-size:1rem}
[data-state]{font-weight:400;color:var(--soft)}
details.list{padding:0 .7rem;border:2px solid var(--act);border-radius:.6rem;background:var(--tint)}
.details .list>summary{font-weight:700}
.details .bar{margin-top:1rem}.details .bar p{flex:1 1 8rem;font-weight:700}.details .bar .yes{flex:1 1 10rem;width:auto;margin:0}
@media (min-width:40rem){.fields{display:grid;grid-template-columns:1fr 1fr;gap:0 1.2rem;align-items:start}}
.field{margin:1rem 0}
.field label{display:block;font-weight:600;overflow-wrap:anywhere}
.date .parts{display:flex;gap:.4rem}
.date .parts>div{flex:3 1 3.6rem;min-width:0}
.date .parts>div:first-child{flex:2 1 2.6rem}
.date .parts>div:nth-child(2){flex:4 1 6rem}
.date label{font-size:.9rem;font-weight:400}
.hint{margin:0;color:var(--soft);font-size:.9rem}
.mistake{display:flex;gap:.4rem;margin:.2rem 0;color:var(--bad);font-weight:600}
.field input,.field select,.field textarea{width:100%;min-height:2.75rem;margin:.2rem 0 0;padding:.4rem .6rem;font:inherit;color:var(--text);background:var(--back);
border:2px solid var(--soft);border-radius:.3rem}
.field textarea{font-family:ui-monospace,Menlo,Consolas,monospace;resize:vertical;overflow-wrap:anywhere}
.field [aria-invalid=true]{border-color:var(--bad)}
.details summary{display:list-item;min-height:2.75rem;padding:.5rem 0;color:var(--text);font-size:1rem}
.details .field>.hint,.details .field>.mistake{white-space:normal}
.details .field>.hint{color:var(--soft)}
.details .field>.mistake{color:var(--bad)}
details button{width:100%;margin-top:.6rem}
.finished{margin:.9rem 0}
.finished svg{color:var(--good)}
.caution h2{color:inherit;font-size:1rem}
.caution li{white-space:normal;font-weight:400}
`;

export const STYLE = COLOURS + FRAME + QUESTION + OUTCOME + PLAN + DETAILS;

/** Allows only this style sheet (CSP level 3, `style-src`). */
export const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Hides the times and counts the minutes that are left instead. */
const COUNTDOWN = `
const hideTimes = () => {
  for (const time of document.querySelectorAll('[data-clock]')) time.hidden = true;
};
hideTimes();

for (const countdown of document.querySelectorAll('[data-left]')) {
  const until = performance.now() + Number(countdown.dataset.left);
  setInterval(() => {
    const minutes = Math.floor((until - performance.now()) / 60000);
    const words = minutes < 1 ? 'less than a minute' : minutes === 1 ? '1 minute' : minutes + ' minutes';
    countdown.textContent = until < performance.now() ? 'too late now' : words + ' left';
  }, 1000);
}
`;

/**
 * Renews a page in place. Terms that the person opened stay open. If the server has gone, the page keeps what it last showed,
 * where a reload would show the browser's own error.
 */
const RENEWAL = `
const attributesText = (node) =>
  [...(node.attributes ?? [])].filter(({ name }) => name !== 'open').map(({ name, value }) => name + '=' + value).join();

const updateNode = (old, fresh) => {
  if (old.isEqualNode(fresh)) return;
  if (attributesText(old) !== attributesText(fresh) || !old.firstChild) return old.replaceWith(fresh);
  const [oldNodes, freshNodes] = [[...old.childNodes], [...fresh.childNodes]];
  const areAlike = (a, b) => a && a.nodeName === b?.nodeName;
  let updated = 0;
  for (; areAlike(oldNodes[0], freshNodes[0]); updated += 1) updateNode(oldNodes.shift(), freshNodes.shift());
  while (areAlike(oldNodes.at(-1), freshNodes.at(-1))) updateNode(oldNodes.pop(), freshNodes.pop());
  for (const node of oldNodes) node.remove();
  const next = old.childNodes[updated] ?? null;
  for (const node of freshNodes) old.insertBefore(node, next);
};

const renew = async () => {
  const fresh = await fetch(location.href, { redirect: 'manual', cache: 'no-store' })
    .then(async (reply) => {
      if (reply.status >= 500) return undefined;
      if (!reply.ok) return location.reload();
      return new DOMParser().parseFromString(await reply.text(), 'text/html');
    })
    .catch(() => undefined);
  const silent = document.querySelector('[data-silent]');
  if (silent) silent.hidden = fresh !== undefined;
  if (fresh) {
    document.title = fresh.title;
    document.body.className = fresh.body.className;
    document.body.dataset.again = fresh.body.dataset.again ?? '';
    updateNode(document.querySelector('main'), fresh.querySelector('main'));
    hideTimes();
  }
  renewLater();
};
const renewLater = () => {
  const seconds = Number(document.body.dataset.again);
  if (seconds > 0) setTimeout(renew, seconds * 1000);
};
renewLater();
`;

/** Writes into the bar and the yes button of a plan what the ticked lines move, in the words of `drawSums` (plan-line.ts). */
const PLAN_BAR = `
const bar = document.querySelector('[data-follows]');
if (bar) {
  const yes = document.querySelector('button.yes');
  const ticks = [...document.querySelectorAll('input[name=line]')];
  const moneyText = (currency, digits, minor) => {
    const amount = (minor / 10 ** digits).toLocaleString('en-US', { minimumFractionDigits: digits });
    return currency + ' ' + amount;
  };
  // No line ends within an amount.
  const moneyNode = (currency, digits, minor) => {
    const node = document.createElement('span');
    node.className = 'money';
    node.textContent = moneyText(currency, digits, minor);
    return node;
  };
  const joinSums = (known, hasUnknown) => {
    const parts = hasUnknown ? [...known, ['an unknown sum']] : known;
    if (parts.length > 0) return parts.flatMap((part, n) => (n === 0 ? part : [' and ', ...part]));
    const nothing = document.createElement('span');
    nothing.className = 'none';
    nothing.textContent = 'nothing';
    return [nothing];
  };
  const showTicked = () => {
    const ticked = ticks.filter((tick) => tick.checked);
    const sums = new Map();
    let payUnknown = false;
    let backUnknown = false;
    for (const sum of ticked.flatMap((tick) => JSON.parse(tick.closest('li').dataset.sums))) {
      const before = sums.get(sum.currency) ?? { ...sum, paid: 0, least: 0, most: 0, onCondition: 0, atMost: false };
      sums.set(sum.currency, {
        ...before,
        paid: before.paid + sum.paid,
        least: before.least + sum.least,
        most: before.most + sum.most,
        onCondition: before.onCondition + sum.onCondition,
        atMost: before.atMost || sum.atMost,
      });
      payUnknown ||= sum.payUnknown;
      backUnknown ||= sum.backUnknown;
    }
    const known = [...sums.values()];
    const pays = known
      .filter(({ paid }) => paid > 0)
      .map(({ currency, digits, paid, atMost }) => [...(atMost ? ['at most '] : []), moneyNode(currency, digits, paid)]);
    const back = known
      .filter(({ most }) => most > 0)
      .map(({ currency, digits, least, most, onCondition }) => {
        const upTo = most > least ? [' to ', moneyNode(currency, digits, most)] : [];
        const part = onCondition < most ? 'of which ' + moneyText(currency, digits, onCondition) + ' ' : '';
        const condition = onCondition > 0 ? [', ' + part + "on the airline's conditions"] : [];
        return [moneyNode(currency, digits, least), ...upTo, ...condition];
      });
    const [count, paysShown, backShown] = ['count', 'pays', 'back'].map((name) => bar.querySelector('[data-' + name + ']'));
    count.textContent = ticked.length + ' of ' + ticks.length;
    paysShown.replaceChildren(...joinSums(pays, payUnknown));
    backShown.replaceChildren(...joinSums(back, backUnknown));
    let sum = '';
    if (paysShown.textContent !== 'nothing') sum = ' for ' + paysShown.textContent;
    else if (backShown.textContent !== 'nothing') sum = ' for ' + backShown.textContent + ' back';
    yes.textContent = 'Approve ' + (ticked.length > 0 ? ticked.length + sum : 'what you tick');
  };
  addEventListener('change', showTicked);
  addEventListener('pageshow', showTicked);
}
`;

/**
 * Counts the cards that are complete, and folds each to one line once the person has gone on from it; then the next one that a key
 * led to opens. Not while a pointer is down: what it points at would move away.
 */
const CARDS = `
const complete = document.querySelector('[data-complete]');
if (complete) {
  const cards = [...document.querySelectorAll('[data-needs]')];
  const corrected = new WeakSet();
  let isPointerDown = false;
  const fieldOf = (card, name) => card.querySelector('[name^="' + name + '-"]');
  const valueOf = (card, name) => fieldOf(card, name)?.value.trim() ?? '';
  const isThere = (card, name) => {
    if (name !== 'birth' && name !== 'expires') return valueOf(card, name) !== '';
    const parts = ['_day', '_month', '_year'].map((part) => valueOf(card, name + part));
    return parts.every((part) => part !== '') || parts[0].length > 2;
  };
  const isCardComplete = (card) => {
    const needs = card.dataset.needs.split(' ').filter((name) => name !== '');
    const hasMistake = [...card.querySelectorAll('[aria-invalid]')].some((field) => !corrected.has(field));
    return needs.length > 0 && !hasMistake && needs.every((name) => isThere(card, name));
  };
  const showCards = () => {
    const done = cards.filter(isCardComplete);
    for (const card of cards) {
      const name = document.createElement('bdi');
      name.textContent = [valueOf(card, 'given_name'), valueOf(card, 'surname')].join(' ').trim();
      const shown = [...(name.textContent === '' ? [] : [' · ', name]), ...(done.includes(card) ? [' · complete'] : [])];
      card.querySelector('[data-state]').replaceChildren(...shown);
    }
    const count = Number(complete.dataset.complete) + done.length;
    complete.textContent = count + ' of ' + complete.dataset.cards + ' complete';
  };
  const foldCards = (opensNext) => {
    const active = document.activeElement;
    const done = cards.filter((card) => card.open && isCardComplete(card) && !card.contains(active));
    for (const card of done) card.open = false;
    const next = active.closest('[data-needs]');
    if (done.length > 0 && opensNext && next && !isCardComplete(next)) next.open = true;
    if (done.length > 0) active.scrollIntoView({ block: 'nearest' });
  };
  addEventListener('input', ({ target }) => {
    corrected.add(target);
    showCards();
  });
  addEventListener('pageshow', showCards);
  addEventListener('focusin', () => { if (!isPointerDown) foldCards(true); });
  addEventListener('pointerdown', () => { isPointerDown = true; });
  for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, () => {
      isPointerDown = false;
      setTimeout(() => foldCards(false));
    });
  }
}
`;

/** The pages are complete without it: it only keeps them current and saves the person work. */
export const SCRIPT = COUNTDOWN + RENEWAL + PLAN_BAR + CARDS + PASTED_LIST;

/** Allows only this script (CSP level 3, `script-src`): stricter than a nonce, which allows whatever carries it. */
export const SCRIPT_HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;
