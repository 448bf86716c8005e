/**
 * The pages' only script. The pages are right without it: it counts the minutes that are left instead of naming a
 * time, renews what changes, and lets the bar of a plan follow the ticks. A page is renewed in place: what is open stays
 * open, and a server that has gone leaves what it last showed, and not the browser's own error.
 */
import { createHash } from 'node:crypto';

/** Its words of sums are those of plan-sums.ts. */
export const SCRIPT = `
const oneClock = () => {
  for (const clock of document.querySelectorAll('[data-clock]')) clock.hidden = true;
};
oneClock();

for (const left of document.querySelectorAll('[data-left]')) {
  const until = performance.now() + Number(left.dataset.left);
  setInterval(() => {
    const minutes = Math.floor((until - performance.now()) / 60000);
    const words = minutes < 1 ? 'less than a minute' : minutes === 1 ? '1 minute' : minutes + ' minutes';
    left.textContent = until < performance.now() ? 'too late now' : words + ' left';
  }, 1000);
}

const attributes = (one) =>
  [...(one.attributes ?? [])].filter(({ name }) => name !== 'open').map(({ name, value }) => name + '=' + value).join();

const become = (old, fresh) => {
  if (old.isEqualNode(fresh)) return;
  if (attributes(old) !== attributes(fresh) || !old.firstChild) return old.replaceWith(fresh);
  const [olds, freshs] = [[...old.childNodes], [...fresh.childNodes]];
  const areAlike = (one, other) => one && one.nodeName === other?.nodeName;
  let kept = 0;
  for (; areAlike(olds[0], freshs[0]); kept += 1) become(olds.shift(), freshs.shift());
  while (areAlike(olds.at(-1), freshs.at(-1))) become(olds.pop(), freshs.pop());
  for (const one of olds) one.remove();
  const next = old.childNodes[kept] ?? null;
  for (const one of freshs) old.insertBefore(one, next);
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
    become(document.querySelector('main'), fresh.querySelector('main'));
    oneClock();
  }
  later();
};
const later = () => {
  const seconds = Number(document.body.dataset.again);
  if (seconds > 0) setTimeout(renew, seconds * 1000);
};
later();

const bar = document.querySelector('[data-follows]');
if (bar) {
  const yes = document.querySelector('button.yes');
  const ticks = [...document.querySelectorAll('input[name=line]')];
  const say = (currency, digits, minor) => {
    const amount = (minor / 10 ** digits).toLocaleString('en-US', { minimumFractionDigits: digits });
    return currency + ' ' + amount;
  };
  const all = (known, unknown) => [...known, ...(unknown ? ['an unknown sum'] : [])].join(' and ') || 'nothing';
  const follow = () => {
    const ticked = ticks.filter((tick) => tick.checked);
    const sums = new Map();
    let payUnknown = false;
    let backUnknown = false;
    for (const sum of ticked.flatMap((tick) => JSON.parse(tick.closest('li').dataset.sums))) {
      const before = sums.get(sum.currency) ?? { ...sum, paid: 0, least: 0, most: 0, atMost: false };
      sums.set(sum.currency, {
        ...before,
        paid: before.paid + sum.paid,
        least: before.least + sum.least,
        most: before.most + sum.most,
        atMost: before.atMost || sum.atMost,
      });
      payUnknown ||= sum.payUnknown;
      backUnknown ||= sum.backUnknown;
    }
    const known = [...sums.values()];
    const pays = known
      .filter(({ paid }) => paid > 0)
      .map(({ currency, digits, paid, atMost }) => (atMost ? 'at most ' : '') + say(currency, digits, paid));
    const back = known
      .filter(({ most }) => most > 0)
      .map(({ currency, digits, least, most }) => {
        const to = most > least ? ' to ' + say(currency, digits, most) : '';
        return say(currency, digits, least) + to;
      });
    const count = ticked.length + ' of ' + ticks.length;
    const [out, home] = [all(pays, payUnknown), all(back, backUnknown)];
    bar.textContent = [count, 'pays ' + out, 'gets back ' + home].join(' · ');
    const sum = out !== 'nothing' ? ' for ' + out : home !== 'nothing' ? ' for ' + home + ' back' : '';
    yes.textContent = 'Yes, do ' + (ticked.length > 0 ? ticked.length + sum : 'the ticked');
  };
  addEventListener('change', follow);
  addEventListener('pageshow', follow);
}
`;

/** Allows only this script (CSP level 3, `script-src`): stricter than a nonce, which allows whatever carries it. */
export const SCRIPT_HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;
