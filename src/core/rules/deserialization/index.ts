import type { Detector } from '../rule.ts';
import { dotnetStream } from './dotnet.ts';
import { javaStream } from './java.ts';
import { jdbcUrl } from './jdbc-url.ts';
import { phpObject } from './php.ts';
import { pickle } from './python.ts';
import { rubyMarshal } from './ruby.ts';
import { typedName, typedPair } from './typed-body.ts';
import { typedMemberValue, typedText } from './typed-text.ts';
import { yamlHandle } from './yaml-handle.ts';

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
