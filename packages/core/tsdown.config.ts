import { defineConfig, type UserConfig } from 'tsdown'

const shared = {
  format: 'esm',
  platform: 'neutral',
  sourcemap: true,
  publint: false,
} satisfies UserConfig

export default defineConfig([
  {
    ...shared,
    entry: ['src/index.ts'],
    // Of code that is loaded on demand.
    outputOptions: { chunkFileNames: '[name].js' },
    dts: false,
  },
  // Separate, so that it does not move code of the main entry to another file, which would change the size of apps.
  { ...shared, entry: ['src/inspect.ts'], dts: false, clean: false },
  {
    ...shared,
    entry: ['src/index.ts', 'src/inspect.ts'],
    // One client type for both. With maps, so that "go to definition" leads to `src`, which the package contains.
    dts: { sourcemap: true, emitDtsOnly: true },
    clean: false,
  },
  {
    // For pages without a bundler: one minified file with all dependencies.
    entry: { browser: 'src/index.ts' },
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    deps: { alwaysBundle: [/./], onlyBundle: false },
    inputOptions: { resolve: { conditionNames: ['es2015', 'browser', 'import', 'default'] } },
    outputOptions: { codeSplitting: false },
    minify: true,
    dts: false,
    sourcemap: false,
    clean: false,
    publint: false,
  },
])
