import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import jsdoc from 'eslint-plugin-jsdoc'
import reactHooks from 'eslint-plugin-react-hooks'
import simpleImportSort from 'eslint-plugin-simple-import-sort'
import svelte from 'eslint-plugin-svelte'
import vue from 'eslint-plugin-vue'
import globals from 'globals'
import tseslint from 'typescript-eslint'
import headwater from './scripts/eslint/vocabulary.js'

/** Restrictions of all files. A list of rules that restricts more has to include them. */
const plainSyntax = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties in the outer object.',
  },
  {
    selector:
      'VariableDeclarator[id.type="ArrayPattern"][init.elements.0][init.elements.0.type!="SpreadElement"]',
    message: 'Declare each variable on its own.',
  },
]

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/generated/',
    '.headwater/',
    '**/.turbo/',
    'benchmarks/peers/',
    'docs/site/public/playground/',
    // Separate apps without installed dependencies: their own commands check them.
    'integrations/*/',
    '!integrations/src/',
    // What the codemod writes.
    'packages/codemod/test/fixtures/',
    'packages/create-headwater/templates/',
  ]),
  js.configs.recommended,
  tseslint.configs.recommended,
  vue.configs['flat/recommended'],
  svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node } },
    plugins: { headwater, jsdoc, 'simple-import-sort': simpleImportSort },
    settings: { jsdoc: { mode: 'typescript' } },
    rules: {
      'headwater/vocabulary': 'error',
      'no-console': 'off',
      curly: ['error', 'all'],
      eqeqeq: 'error',
      // As TypeScript does: destructuring is how properties are omitted.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // One block: Node's modules, packages, then the project's own, from far to near.
      'simple-import-sort/imports': [
        'error',
        { groups: [['^\\u0000', '^node:', '^@?\\w', '^@headwater/', '^\\.\\.', '^\\.']] },
      ],
      'simple-import-sort/exports': 'error',
      'no-restricted-syntax': ['error', ...plainSyntax],
      'jsdoc/require-hyphen-before-param-description': ['error', 'always'],
      'jsdoc/require-throws-type': 'error',
      'jsdoc/check-alignment': 'error',
    },
  },
  {
    // Rules that need types. A floating promise hides its rejection.
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['**/*.svelte.ts'],
    // One program of all files takes half as long as one program per package.
    languageOptions: { parserOptions: { project: './tsconfig.lint.json' } },
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
    files: ['packages/react/**', 'apps/react-demo/**', 'docs/site/snippets/react/**'],
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
    // These rules conflict with Prettier.
    files: ['**/*.vue', 'docs/site/.vitepress/theme/index.ts'],
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
    // The core runs in any environment: host globals are accessed in one file only, but for the expression that bundlers
    // replace.
    files: ['packages/core/src/**'],
    ignores: ['packages/core/src/environment.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'window',
        'document',
        'navigator',
        'localStorage',
        'Buffer',
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: ':not(MemberExpression[parent.property.name="NODE_ENV"]) > [name="process"]',
          message: 'Only `process.env.NODE_ENV` exists in browsers.',
        },
        ...plainSyntax,
      ],
    },
  },
  {
    // Code as the readers of the site write it.
    files: ['docs/site/snippets/**'],
    rules: { curly: 'off', 'simple-import-sort/imports': 'off' },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
)
