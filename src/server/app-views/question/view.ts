/**
 * What a person decides on: the terms of a question and its outcome, or what a cancellation would refund. Shows only; it cannot
 * act.
 */
import { start } from '../shared/bridge.ts';
import { type DecidedResult, question } from '../shared/question.ts';
import { type Quote, quote } from './quote.ts';

start<DecidedResult | Quote>((data, _input, result) => ('locator' in data ? quote(data) : question(data, result)));
