/**
 * Renews a page in place. Terms that the person opened stay open. If the server has gone, the page keeps what it last showed,
 * where a reload would show the browser's own error.
 */
const attributesText = (node) =>
  [...(node.attributes ?? [])]
    .filter(({ name }) => name !== 'open')
    .map(({ name, value }) => `${name}=${value}`)
    .join();

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
