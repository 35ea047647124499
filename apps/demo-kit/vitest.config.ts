import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'

const conditions = ['@headwater/source', ...defaultClientConditions]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { name: 'demo-kit', environment: 'node' },
})
