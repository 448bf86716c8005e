/** Loaded into a server before it starts (`--import`): its clock is wrong by CLOCK_AHEAD_MS. */
const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS);
const TrueDate = Date;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args, self),
  get: (target, key) => (key === 'now' ? () => target.now() + AHEAD_MS : Reflect.get(target, key)),
});
