import type { Detector } from '../rule.ts';
import { pickle } from './python.ts';
import { dotnetStream, javaStream, phpObject, rubyMarshal } from './stream.ts';
import { jdbcUrl, typedName, typedPair, yamlHandle } from './typed-body.ts';
import { typedMemberValue, typedText } from './typed-text.ts';

/** Unsafe deserialisation: marks of serialised objects, by language. */
export const deserialization: Detector = {
  category: 'deserialization',
  rules: [
    yamlHandle,
    javaStream,
    dotnetStream,
    phpObject,
    pickle,
    rubyMarshal,
    typedText,
    typedMemberValue,
    typedName,
    typedPair,
    jdbcUrl,
  ],
};
