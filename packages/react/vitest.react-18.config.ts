import { defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

// The oldest supported React: the conformance suite runs on it in Chromium, here run the tests of rendering that depends on
// the version of React.
export default mergeConfig(
  config,
  defineConfig({
    resolve: {
      alias: [
        // Its entry for browsers does not stream to Node.js.
        { find: 'react-dom/server', replacement: 'react-dom-18/server.node' },
        { find: /^(react|react-dom)(?=$|\/)/, replacement: '$1-18' },
      ],
    },
    test: {
      name: 'react-18',
      include: ['src/{useSnapshot,useSuspenseSnapshot,suspenseHooks,serverStreaming}.test.tsx'],
      setupFiles: './vitest.react-18.setup.mjs',
    },
  }),
)
