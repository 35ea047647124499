import { defineConfig } from 'tsdown'

export default defineConfig([
  {
    entry: ['src/index.ts'],
    format: 'esm',
    platform: 'neutral',
    // With maps, so that "go to definition" leads to `src`, which the package contains.
    dts: { sourcemap: true },
    sourcemap: true,
    publint: false,
  },
  {
    // For pages without a bundler: one minified file with all dependencies.
    entry: { browser: 'src/index.ts' },
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    deps: { alwaysBundle: [/./], onlyBundle: false },
    inputOptions: { resolve: { conditionNames: ['es2015', 'browser', 'import', 'default'] } },
    minify: true,
    dts: false,
    sourcemap: false,
    clean: false,
    publint: false,
  },
])
