/** The field for a table of travellers (list.ts): fills in the blank cards that need a name, in their order, from its rows. */
const list = document.querySelector('[data-columns]');
if (list) {
  list.hidden = false;
  const columns = JSON.parse(list.dataset.columns);
  const table = list.querySelector('textarea');
  const result = list.querySelector('[role=status]');
  const folded = (text) => text.trim().replace(/\s+/g, ' ').toLowerCase();
  const countText = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const fieldsOf = (card) => [...card.querySelectorAll('input, select')];
  const isBlank = (card) =>
    fieldsOf(card).every(({ name, value }) => value === '' || name.startsWith('document_type-'));
  const blankCards = () => [...document.querySelectorAll('[data-takes-row]')].filter(isBlank);

  // A word that no option has becomes one, which the person sees and the server refuses.
  const choose = (select, word) => {
    const named = [...select.options].find(({ value, text }) => {
      const letter = /\((.)\)$/.exec(text)?.[1] ?? '';
      return [value, text, letter].map(folded).includes(folded(word));
    });
    if (named) select.value = named.value;
    else select.add(new Option(word, word, false, true));
  };
  const fillIn = (card, fields, cells) => {
    card.open = true;
    for (const [n, field] of fields.entries()) {
      const cell = (cells[n] ?? '').trim();
      if (field === undefined || cell === '') continue;
      const input = card.querySelector(`[name^="${field}-"]`);
      if (input.matches('select')) choose(input, cell);
      else input.value = cell;
    }
  };

  const KNOWN = `The known headings are: ${columns.map(({ heading }) => heading).join(', ')}.`;
  const problemOf = (fields, rows) => {
    const known = fields.filter((field) => field !== undefined);
    if (known.length === 0) return `The first row has no known heading. ${KNOWN}`;
    if (new Set(known).size < known.length) return 'Two columns have the same heading. Leave one of them out.';
    if (rows.length === 0) return 'There are headings and no rows. Copy the rows too.';
    const wrong = rows.findIndex((row) => row.length !== fields.length);
    if (wrong < 0) return undefined;
    const cells = countText(rows[wrong].length, 'cell');
    return `Row ${wrong + 2} has ${cells}, and the headings have ${fields.length}. Take line breaks out of the cells, then copy the list again.`;
  };
  const takeRows = () => {
    const lines = table.value.split(/\r?\n/).filter((line) => line.trim() !== '');
    const [headings = [], ...rows] = lines.map((line) => line.split('\t'));
    const fields = headings.map((text) => columns.find(({ heading }) => folded(heading) === folded(text))?.field);
    const problem = problemOf(fields, rows);
    if (problem) return `${problem} Nothing was filled in.`;
    const cards = blankCards();
    const taken = rows.slice(0, cards.length);
    for (const [n, cells] of taken.entries()) fillIn(cards[n], fields, cells);
    const left = lines.slice(1 + taken.length);
    table.value = left.length > 0 ? [lines[0], ...left].join('\n') : '';
    const unknown = headings.filter((_, n) => fields[n] === undefined).map((text) => text.trim() || 'no heading');
    return [
      `${countText(taken.length, 'card')} filled in. Compare them with the documents, then press Send.`,
      left.length > 0 ? `No blank card is left for ${countText(left.length, 'row')}: they stay in the field.` : '',
      unknown.length > 0 ? `Not read: ${unknown.join(', ')}. ${KNOWN}` : '',
    ]
      .join(' ')
      .trim();
  };
  list.querySelector('button').addEventListener('click', () => {
    result.textContent = takeRows();
  });
}
