/**
 * Counts the cards that are complete, and folds each to one line once the person has gone on from it; then the next one that a key
 * led to opens. Not while a pointer is down: what it points at would move away.
 */
const complete = document.querySelector('[data-complete]');
if (complete) {
  const cards = [...document.querySelectorAll('[data-needs]')];
  const corrected = new WeakSet();
  let isPointerDown = false;
  const fieldOf = (card, name) => card.querySelector(`[name^="${name}-"]`);
  const textOf = (card, name) => fieldOf(card, name)?.value.trim() ?? '';
  const isThere = (card, name) => {
    if (name !== 'birth' && name !== 'expires') return textOf(card, name) !== '';
    const parts = ['_day', '_month', '_year'].map((part) => textOf(card, name + part));
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
      name.textContent = [textOf(card, 'given_name'), textOf(card, 'surname')].join(' ').trim();
      const shown = [
        ...(name.textContent === '' ? [] : [' · ', name]),
        ...(done.includes(card) ? [' · complete'] : []),
      ];
      card.querySelector('[data-state]').replaceChildren(...shown);
    }
    const count = Number(complete.dataset.complete) + done.length;
    complete.textContent = `${count} of ${complete.dataset.cards} complete`;
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
  addEventListener('focusin', () => {
    if (!isPointerDown) foldCards(true);
  });
  addEventListener('pointerdown', () => {
    isPointerDown = true;
  });
  for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, () => {
      isPointerDown = false;
      setTimeout(() => foldCards(false));
    });
  }
}
