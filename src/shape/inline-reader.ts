import type { ShapeReader } from '../contract/shape-reader.ts';
import { readAndCompile } from './compile-check.ts';

/** Reads and compiles where it is called: for the command line, which does nothing beside. */
export const inlineShapeReader: ShapeReader = {
  read: async (text, options) => readAndCompile({ kind: 'read', text, options }),
  check: async (shape) => readAndCompile({ kind: 'check', shape }),
};
