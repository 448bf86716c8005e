/** Ticks all lines of a plan, and writes into its bar and yes button what the ticked ones move, in the words of `drawSums` (plan-line.ts). */
const bar = document.querySelector('[data-follows]');
if (bar) {
  const yes = document.querySelector('button.yes');
  const ticks = [...document.querySelectorAll('input[name=line]')];
  const tickAll = document.querySelector('button.ticks');
  const tickAllWords = tickAll.textContent;
  const moneyText = (currency, digits, minor) => {
    const amount = (minor / 10 ** digits).toLocaleString('en-US', { minimumFractionDigits: digits });
    return `${currency} ${amount}`;
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
      .map(({ currency, digits, paid, atMost }) => [
        ...(atMost ? ['at most '] : []),
        moneyNode(currency, digits, paid),
      ]);
    const back = known
      .filter(({ most }) => most > 0)
      .map(({ currency, digits, least, most, onCondition }) => {
        const upTo = most > least ? [' to ', moneyNode(currency, digits, most)] : [];
        const part = onCondition < most ? `of which ${moneyText(currency, digits, onCondition)} ` : '';
        const condition = onCondition > 0 ? [`, ${part}on a condition`] : [];
        return [moneyNode(currency, digits, least), ...upTo, ...condition];
      });
    const [count, paysShown, backShown] = ['count', 'pays', 'back'].map((name) => bar.querySelector(`[data-${name}]`));
    count.textContent = `${ticked.length} of ${ticks.length}`;
    tickAll.textContent = ticked.length === ticks.length ? 'Tick none' : tickAllWords;
    paysShown.replaceChildren(...joinSums(pays, payUnknown));
    backShown.replaceChildren(...joinSums(back, backUnknown));
    let sum = '';
    if (paysShown.textContent !== 'nothing') sum = ` for ${paysShown.textContent}`;
    else if (backShown.textContent !== 'nothing') sum = ` for ${backShown.textContent} back`;
    yes.disabled = ticked.length === 0;
    yes.textContent = `Approve ${ticked.length > 0 ? ticked.length + sum : 'what you tick'}`;
  };
  tickAll.hidden = false;
  tickAll.addEventListener('click', () => {
    const isTicked = ticks.some((tick) => !tick.checked);
    for (const tick of ticks) tick.checked = isTicked;
    showTicked();
  });
  // The form's first button would show the page again, without the ticks.
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && ticks.includes(event.target)) event.preventDefault();
  });
  addEventListener('change', showTicked);
  addEventListener('pageshow', showTicked);
}
