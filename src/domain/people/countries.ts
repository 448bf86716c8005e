/** Countries of ISO 3166-1: their codes of two letters (in messages) and three (in passports). */
import { normalized } from '../../core/clean-text.ts';
import { once } from '../../core/memoize.ts';

/** Each word: a country's two letters, then its three. One text, because a table would take 250 lines. */
const COUNTRIES =
  'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB ' +
  'BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR ' +
  'BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR ' +
  'CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK ' +
  'FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS ' +
  'GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ' +
  'ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO ' +
  'LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD ' +
  'MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER ' +
  'NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM ' +
  'PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP ' +
  'SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF ' +
  'TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY ' +
  'UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE';

/** `SAU` → `SA`; undefined for an unknown code. */
export function twoLetterCountry(three: string): string | undefined {
  // A match that ends before a space is a whole code.
  const at = /^[A-Z]{3}$/.test(three) ? `${COUNTRIES} `.indexOf(`${three} `) : -1;
  return at < 0 ? undefined : COUNTRIES.slice(at - 2, at);
}

/** English names of countries by their two letters, in the order of the names. */
export const countryNames = once((): ReadonlyMap<string, string> => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const codes = COUNTRIES.split(' ').map((word) => word.slice(0, 2));
  // Kosovo has a code of its own in passports, and none in ISO 3166.
  const named = [...codes, 'XK'].map((code): [string, string] => [code, names.of(code) ?? code]);
  return new Map(named.sort(([, a], [, b]) => a.localeCompare(b, 'en')));
});

const pairsIn = (text: string) => new Map(text.split(' ').map((pair) => pair.split(':') as [string, string]));

/** Codes of passports that are not in ISO 3166 (ICAO Doc 9303, part 3, section 5). */
const PASSPORT_CODES: ReadonlyMap<string, string> = pairsIn('D:DE RKS:XK GBD:GB GBN:GB GBO:GB GBP:GB GBS:GB');

/** Codes in passports of stateless people and of organizations (ICAO Doc 9303, part 3, section 5, parts B to D). */
const CODES_OF_NO_COUNTRY: ReadonlySet<string> = new Set(
  'XXA XXB XXC XXX UNO UNA UNK XBA XIM XCC XCE XCO XEC XPO XES XMP XOM XDC EUE STATELESS REFUGEE'.split(' '),
);

export function isCodeOfNoCountry(text: string): boolean {
  return CODES_OF_NO_COUNTRY.has(folded(text));
}

/** Other names of countries, folded, that people write and browsers fill in. */
const OTHER_NAMES: ReadonlyMap<string, string> = pairsIn(
  [
    'UAE:AE EMIRATES:AE KSA:SA KINGDOMOFSAUDIARABIA:SA PALESTINE:PS STATEOFPALESTINE:PS SYRIANARABREPUBLIC:SY',
    'TURKEY:TR RUSSIANFEDERATION:RU CZECHREPUBLIC:CZ HOLLAND:NL THENETHERLANDS:NL MACEDONIA:MK',
    'UK:GB GREATBRITAIN:GB BRITAIN:GB ENGLAND:GB SCOTLAND:GB WALES:GB NORTHERNIRELAND:GB',
    'AMERICA:US AMERICAN:US UNITEDSTATESOFAMERICA:US THEUNITEDSTATES:US',
    'BURMA:MM MACAU:MO REPUBLICOFKOREA:KR KOREAREPUBLICOF:KR IRANISLAMICREPUBLICOF:IR',
    'IVORYCOAST:CI CABOVERDE:CV SWAZILAND:SZ THEGAMBIA:GM TANZANIAUNITEDREPUBLICOF:TZ REPUBLICOFTHECONGO:CG',
    'DRC:CD DRCONGO:CD DEMOCRATICREPUBLICOFTHECONGO:CD CONGOTHEDEMOCRATICREPUBLICOFTHE:CD EASTTIMOR:TL',
  ].join(' '),
);
/** The two letters of a country that is written as a code of two or three letters, or as its English name. */
export function namedCountry(text: string): string | undefined {
  const wanted = folded(text);
  // `N/A`, with any sign between its letters, means no country. `NA` is Namibia.
  if (/n\W+a/i.test(text) && wanted === 'NA') return undefined;
  const code = PASSPORT_CODES.get(wanted) ?? twoLetterCountry(wanted) ?? OTHER_NAMES.get(wanted) ?? wanted;
  return countryNames().has(code) ? code : [...countryNames()].find(([, name]) => folded(name) === wanted)?.[0];
}

/** Letters alone, upper case, without diacritics. */
function folded(text: string): string {
  return normalized(text, 'NFKD')
    .toUpperCase()
    .replace(/[^A-Z]+/g, '');
}
