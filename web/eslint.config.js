import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['src/protocol/generated/', 'src/text/generated/', 'src/games/generated/', 'node_modules/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { rules: { 'no-alert': 'error' } }, // parts/Confirm.svelte asks; a dialog of the browser stops the page and cannot be themed
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      'svelte/no-at-html-tags': 'error', // what people typed is text and nothing else
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SvelteAttribute[key.name="style"]',
          message:
            'The content security policy forbids style attributes; use a class, or style:name={value}.',
        },
      ],
      'svelte/no-navigation-without-resolve': 'off', // that is SvelteKit's
    },
  },
);
