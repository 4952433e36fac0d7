import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { ViteDevServer } from 'vite';
import { defineConfig } from 'vitest/config';

const server = process.env.ROUNDTABLE_SERVER ?? 'http://127.0.0.1:8000';

/** The font is shipped with the app, and its licence with the font. */
const fontLicense = {
  name: 'font-license',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: Buffer }): unknown }) {
    const source = readFileSync('node_modules/@fontsource/be-vietnam-pro/LICENSE');
    this.emitFile({ type: 'asset', fileName: 'font-license.txt', source });
  },
};

type Modules = { getModuleInfo(id: string): { isEntry: boolean; importers: string[] } | null };

/** Whether the first page imports this module at once, directly or through others. */
function isInFirstPage(id: string, modules: Modules): boolean {
  const found = new Set([id]);
  for (const one of found) {
    const module = modules.getModuleInfo(one);
    if (module?.isEntry) return true;
    module?.importers.forEach((importer) => found.add(importer));
  }
  return false;
}

/** While the app is developed, a changed catalogue or rulebook is generated anew. */
const catalogues = {
  name: 'catalogues',
  configureServer({ watcher }: ViteDevServer) {
    watcher.add(['../src/roundtable/text', '../src/roundtable/games']);
    watcher.on('change', (path) => {
      if (/\/text\/[^/]+\.(json|md)$/.test(path) && !path.includes('/generated/'))
        execSync('node tools/text.js');
    });
  },
};

export default defineConfig({
  plugins: [svelte(), fontLicense, catalogues],
  build: {
    outDir: '../src/roundtable/web_app',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy lets nothing in that is written into the page
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        // one file compresses better than one for each module that other screens use too
        codeSplitting: {
          groups: [{ name: (id, modules) => (isInFirstPage(id, modules) ? 'first_page' : null) }],
        },
      },
    },
  },
  server: {
    // `changeOrigin` stays off: the server compares Origin with Host, and both are the page's own here
    proxy: { '/api': server, '/schemas': server, '/health': server, '/socket': { target: server, ws: true } },
  },
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/text/english.setup.ts'],
    environment: 'node',
    pool: 'threads',
    testTimeout: 120_000, // the machine may be busy; time that matters is faked
    hookTimeout: 120_000,
  },
});
