import { findingText as f } from '../../tools/steps/findings.ts';
import type { PlaceName } from '../booking/stations.ts';
export interface FindingWords { readonly vehicle: 'train' | 'flight'; readonly placeName?: PlaceName | undefined }
export const findingText = f as unknown as (finding: object, words: object) => string;
