import { wordList } from '../text/words.ts';

/**
 * Aliases of PowerShell (about_Aliases) that no other shell has as commands, by what has to follow one
 * so that it is no word.
 */
export const longAliases: readonly string[] = wordList(
  `gci gwmi gcim tnc gps gsv gdr gcm gal gmo gjb spps spsv sasv ipmo rmo rwmi iwmi rcim ipcsv epcsv
   clc rni rnp scb gcb sls`,
);

/** Of two letters, as words and names have them. */
export const shortAliases: readonly string[] = wordList('gi gp gc ii ri ni ac sc sv');

/** Commands that are handed their arguments as a list: `cmd @a`. */
export const splatTakers: readonly string[] = wordList(
  'cmd powershell gci saps start-process get-childitem iex icm net curl iwr irm',
);
