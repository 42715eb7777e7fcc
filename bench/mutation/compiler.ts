import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, type Project } from 'typescript/unstable/sync';
import { type Mutation, mutated, mutationsOf } from './mutations.ts';

/** What the TypeScript compiler knows of a tree. */
export class Compiler {
  readonly #root: string;
  readonly #config: string;
  readonly #api: API;

  constructor(root: string) {
    this.#root = root;
    this.#config = join(root, 'tsconfig.json');
    this.#api = new API({ cwd: root });
  }

  /** The mutations of source files. */
  mutationsIn(paths: readonly string[]): Mutation[] {
    const { program } = this.#project([]);
    return paths.flatMap((path) => {
      const file = program.getSourceFile(join(this.#root, path));
      if (file === undefined) throw new Error(`${path} is not a file of ${this.#config}.`);
      return mutationsOf(path, file);
    });
  }

  /** Whether the file still compiles with a mutation, which is undone again. */
  takes(mutation: Mutation): boolean {
    const path = join(this.#root, mutation.path);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, mutated(text, mutation));
    try {
      const { program } = this.#project([path]);
      const faults = [
        ...program.getSyntacticDiagnostics(path),
        ...program.getSemanticDiagnostics(path),
      ];
      // What is only unused or never reached runs all the same.
      return faults.every(({ reportsUnnecessary }) => reportsUnnecessary === true);
    } finally {
      writeFileSync(path, text);
      this.#project([path]);
    }
  }

  close(): void {
    this.#api.close();
  }

  #project(changed: string[]): Project {
    const fileChanges = { changed };
    const snapshot = this.#api.updateSnapshot({ openProjects: [this.#config], fileChanges });
    const project = snapshot.getProject(this.#config);
    if (project === undefined) throw new Error(`${this.#config} was not read.`);
    return project;
  }
}
