import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import svelte from 'eslint-plugin-svelte'
import vue from 'eslint-plugin-vue'
import { defineConfig, globalIgnores } from 'eslint/config'
import globals from 'globals'
import tseslint from 'typescript-eslint'

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/generated/',
    '.headwater/',
    '**/.turbo/',
    'benchmarks/peers/',
    // Apps of their own, with nothing installed here: their own commands check them.
    'integrations/vite-*/',
    'integrations/shared/',
  ]),
  js.configs.recommended,
  tseslint.configs.recommended,
  vue.configs['flat/recommended'],
  svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node } },
    rules: {
      'no-console': 'off',
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  {
    // What only a type checker sees. A promise that nobody awaits is an error that nobody reads.
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['**/*.svelte.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/only-throw-error': 'error',
    },
  },
  {
    files: ['packages/react/**', 'apps/react-demo/**'],
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    files: ['**/*.vue', '**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { parser: tseslint.parser },
    },
  },
  {
    // Prettier lays out; these rules would only argue with it.
    files: ['**/*.vue'],
    rules: {
      'vue/html-indent': 'off',
      'vue/html-self-closing': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/multi-word-component-names': 'off',
    },
  },
  {
    // The core runs anywhere: what a host gives comes through one file.
    files: ['packages/core/src/**'],
    ignores: ['packages/core/src/environment.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'window',
        'document',
        'navigator',
        'localStorage',
        'process',
        'Buffer',
      ],
    },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
)
