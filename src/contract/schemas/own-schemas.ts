/**
 * Options of Ajv for schemas that are part of the program. Tests hold them against the meta-schema,
 * which would have to be compiled at each start; a word that Ajv does not know is refused anyway.
 */
export const ownSchemas = { meta: false, validateSchema: false } as const;
