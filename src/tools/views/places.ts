/** Places in results: codes in the fields of a route, and their names once. */

import * as z from 'zod';
import { quoted } from '../../core/clean-text.ts';
import { own } from '../../core/own.ts';
import { showPlace } from '../../domain/booking/stations.ts';
import { noted } from '../definition/field-notes.ts';

const textByKey = () => z.record(z.string(), z.string()).optional();

export const placesSchema = () => noted('names of stations by their codes', textByKey());

/** The fields of an answer to a call that names stations in words. */
export function placeFields() {
  const note = 'codes by the words that were asked with, where these are not the name of the station';
  return { places: placesSchema(), understood: noted(note, textByKey()) };
}

interface PlacesResult {
  readonly places?: Readonly<Record<string, string>> | undefined;
  readonly understood?: Readonly<Record<string, string>> | undefined;
}

/** `“Makkah” is Makkah Al Rusayfah (QCA).` */
export function understoodText({ understood = {}, places = {} }: PlacesResult): string | undefined {
  const meanings = Object.entries(understood).map(
    ([written, code]) => `${quoted(written, 60)} is ${showPlace(code, (each) => own(places, each))}`,
  );
  return meanings.length === 0 ? undefined : `${meanings.join('; ')}.`;
}
