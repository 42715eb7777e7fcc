import type { Detector } from '../rule.ts';
import { keyAndValue, memberName, nestedMember, pathArray, pythonMember } from './member-name.ts';
import { assignment, pathText } from './path-text.ts';

/** Prototype pollution: names and paths that reach `Object.prototype`. */
export const protopollution: Detector = {
  category: 'protopollution',
  rules: [memberName, nestedMember, pathArray, keyAndValue, pythonMember, pathText, assignment],
};
