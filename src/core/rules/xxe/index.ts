import type { Detector } from '../rule.ts';
import { entityExpansion } from './entity-expansion.ts';
import { externalDoctype } from './external-doctype.ts';
import { externalEntity } from './external-entity.ts';
import { include } from './include.ts';
import { parameterEntity } from './parameter-entity.ts';
import { schemaLocation } from './schema-location.ts';
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
