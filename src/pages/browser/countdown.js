/** Hides the times and counts the minutes that are left instead. */
const hideTimes = () => {
  for (const time of document.querySelectorAll('[data-clock]')) time.hidden = true;
};
hideTimes();

for (const countdown of document.querySelectorAll('[data-left]')) {
  const until = performance.now() + Number(countdown.dataset.left);
  setInterval(() => {
    const minutes = Math.floor((until - performance.now()) / 60000);
    const counted = minutes === 1 ? '1 minute' : `${minutes} minutes`;
    const left = `${minutes < 1 ? 'less than a minute' : counted} left`;
    countdown.textContent = until < performance.now() ? 'too late now' : left;
  }, 1000);
}
