/*
 * Loaded before the program by `--require`: counts, without a clock, what a start or a call does, and writes it as JSON into the file that
 * WATCHED names: with each answer the Intl objects made until then, and the characters of long texts that were looked at.
 */
'use strict';

const { writeFileSync } = require('node:fs');

/** Only replies are that long. */
const LONG = 100_000;

const seen = { intl: 0, characters: 0 };

for (const [name, made] of Object.entries(Object.getOwnPropertyDescriptors(Intl))) {
  if (!/^[A-Z]/.test(name) || typeof made.value !== 'function') continue;
  const counting = {
    construct(target, args, asked) {
      seen.intl += 1;
      return Reflect.construct(target, args, asked === Intl[name] ? target : asked);
    },
    apply(target, self, args) {
      seen.intl += 1;
      return Reflect.apply(target, self, args);
    },
  };
  Object.defineProperty(Intl, name, { ...made, value: new Proxy(made.value, counting) });
}

/** Wraps methods: `looked` says at how many characters a call looked, from its text, its arguments and its result. */
function watch(owner, methods, looked) {
  for (const method of methods) {
    const original = owner[method];
    owner[method] = function (...args) {
      const from = this?.lastIndex ?? 0;
      const result = original.apply(this, args);
      seen.characters += looked(this, args, result, from);
      return result;
    };
  }
}

const { indexOf } = String.prototype;
const lengthOf = (text) => (typeof text === 'string' && text.length >= LONG ? text.length : 0);
const ofSelf = (self) => lengthOf(typeof self === 'object' ? self?.valueOf() : self);
const ofFirst = (_, [text]) => lengthOf(text);
/** A search ends where it finds something. */
const until = (length, from, found) => (length === 0 ? 0 : (found < 0 ? length : found + 1) - from);

watch(String.prototype, ['normalize', 'toUpperCase', 'toLowerCase', 'split'], ofSelf);
watch(String.prototype, ['indexOf'], (self, [, from = 0], found) => until(ofSelf(self), from, found));
watch(String.prototype, ['includes'], (self, args) => until(ofSelf(self), 0, indexOf.apply(self, args)));
watch(String.prototype, ['charCodeAt', 'codePointAt'], (self) => (ofSelf(self) > 0 ? 1 : 0));
// Every method that takes an expression calls it.
watch(RegExp.prototype, ['exec'], (self, [text], match, from) =>
  until(lengthOf(text), self.global || self.sticky ? from : 0, match === null ? -1 : match.index + match[0].length - 1),
);
watch(JSON, ['parse'], ofFirst);
watch(JSON, ['stringify'], (_, __, text) => lengthOf(text));
watch(Buffer, ['from', 'byteLength'], ofFirst);
watch(Buffer.prototype, ['toString'], (_, __, text) => lengthOf(text));

const { write } = process.stdout;
process.stdout.write = function (...args) {
  writeFileSync(process.env.WATCHED, JSON.stringify(seen));
  return write.apply(this, args);
};
