import type { Detector } from '../rule.ts';
import { entityExpansion, externalDoctype, externalEntity, parameterEntity } from './entity.ts';
import { include, schemaLocation } from './include.ts';
import { stylesheetCode } from './stylesheet-code.ts';

/** Rules of the category `xxe`. */
export const xxe: Detector = {
  category: 'xxe',
  rules: [
    externalEntity,
    parameterEntity,
    externalDoctype,
    entityExpansion,
    include,
    schemaLocation,
    stylesheetCode,
  ],
};
