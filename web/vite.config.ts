import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
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

export default defineConfig({
  plugins: [svelte(), fontLicense],
  build: {
    outDir: '../src/roundtable/web_app',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy lets nothing in that is written into the page
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
  server: {
    // `changeOrigin` stays off: the server compares Origin with Host, and both are the page's own here
    fs: { allow: ['..'] }, // the rulebooks are in the games' folders
    proxy: { '/api': server, '/schemas': server, '/health': server, '/socket': { target: server, ws: true } },
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    pool: 'threads',
    testTimeout: 120_000, // the machine may be busy; time that matters is faked
    hookTimeout: 120_000,
  },
});
