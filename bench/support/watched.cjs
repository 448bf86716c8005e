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
      const result = original.apply(this, args);
      seen.characters += looked(this, args, result);
      return result;
    };
  }
}

const ofText = (text) => (typeof text === 'string' && text.length >= LONG ? text.length : 0);
const ofSelf = (self) => ofText(typeof self === 'string' ? self : undefined);
const ofFirst = (_, [text]) => ofText(text);
const ofResult = (_, __, text) => ofText(text);
/** A search that begins somewhere and ends where it finds something. */
const ofSearch = (self, [, from = 0], found) => ofSelf(self) && (found < 0 ? self.length : found + 1) - from;

// Node's own functions are no methods of strings that it took before.
watch(
  String.prototype,
  ['normalize', 'toUpperCase', 'toLowerCase', 'trim', 'split', 'match', 'matchAll', 'replace', 'replaceAll', 'search'],
  ofSelf,
);
watch(String.prototype, ['indexOf'], ofSearch);
watch(String.prototype, ['includes'], (self, [word]) => ofSelf(self) && (self.split(word, 1)[0]?.length ?? 0));
watch(String.prototype, ['charCodeAt', 'codePointAt'], (self) => (ofSelf(self) > 0 ? 1 : 0));
watch(RegExp.prototype, ['test', 'exec'], ofFirst);
watch(JSON, ['parse'], ofFirst);
watch(JSON, ['stringify'], ofResult);
watch(Buffer, ['from', 'byteLength'], ofFirst);
watch(Buffer.prototype, ['toString'], ofResult);

const { write } = process.stdout;
process.stdout.write = function (...args) {
  writeFileSync(process.env.WATCHED, JSON.stringify(seen));
  return write.apply(this, args);
};
