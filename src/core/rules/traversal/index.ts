import type { Detector } from '../rule.ts';
import { aliasStep } from './alias-step.ts';
import { climb } from './climb.ts';
import { climbToFile } from './climb-to-file.ts';
import { deviceName } from './device-name.ts';
import { devicePath } from './device-path.ts';
import { disguisedClimb } from './disguised-climb.ts';
import { dotRun } from './dot-run.ts';
import { fileStream } from './file-stream.ts';
import { imageCoder } from './image-coder.ts';
import { nullByte } from './null-byte.ts';
import { sensitiveFile } from './sensitive-file.ts';
import { servletParameter } from './servlet-parameter.ts';

/** Rules of the category `traversal`. */
export const traversal: Detector = {
  category: 'traversal',
  rules: [
    climb,
    climbToFile,
    disguisedClimb,
    dotRun,
    servletParameter,
    sensitiveFile,
    nullByte,
    fileStream,
    devicePath,
    deviceName,
    imageCoder,
    aliasStep,
  ],
};
