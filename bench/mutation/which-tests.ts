import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { importsOf, sourceFile } from '../../test/support/source-text.ts';

/** Says which tests look at a source file. */
export class WhichTests {
  /** What each file imports. */
  readonly #imports = new Map<string, readonly string[]>();
  readonly #tests: readonly string[];

  constructor(root: string, paths: readonly string[]) {
    for (const path of paths) {
      const imported = importsOf(sourceFile(path, readFileSync(join(root, path), 'utf8')))
        .filter(({ from, isTypeOnly }) => from.startsWith('.') && !isTypeOnly)
        .map(({ from }) => posix.join(posix.dirname(path), from));
      this.#imports.set(path, imported);
    }
    this.#tests = paths.filter((path) => path.endsWith('.test.ts'));
  }

  /**
   * The tests of a source file: those of its folder, and those elsewhere that import it, themselves
   * or by way of other files of `test/`.
   */
  testsOf(path: string): readonly string[] {
    const folder = `test/${path.split('/')[1]}/`;
    return this.#tests.filter((test) => test.startsWith(folder) || this.#knows(test, path));
  }

  /** Whether a test imports a source file itself. */
  imports(test: string, path: string): boolean {
    return this.#imports.get(test)?.includes(path) === true;
  }

  #knows(test: string, path: string, seen = new Set<string>()): boolean {
    seen.add(test);
    const imported = this.#imports.get(test) ?? [];
    return imported.some(
      (one) =>
        one === path || (one.startsWith('test/') && !seen.has(one) && this.#knows(one, path, seen)),
    );
  }
}
