import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const outDir = fileURLToPath(new URL('../../../dist/dashboard', import.meta.url));

/** Compresses once, as hard as it goes, so that the server never has to. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:html|js|css|svg)$/.test(name)) continue;
      const path = join(outDir, name);
      const plain = readFileSync(path);
      writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
      writeFileSync(`${path}.br`, brotliCompressSync(plain));
    }
  },
};

export default defineConfig({
  base: '/dashboard/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows our own files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  plugins: [compressed],
});
