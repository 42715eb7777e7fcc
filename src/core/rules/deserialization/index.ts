import type { Detector } from '../rule.ts';
import { dotnetStream, javaStream, phpObject, pickle, rubyMarshal } from './stream.ts';
import {
  jdbcUrl,
  typedMemberValue,
  typedName,
  typedPair,
  typedText,
  yamlHandle,
} from './typed-text.ts';

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
