import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['@headwater/source', ...defaultClientConditions] } },
  test: { name: 'react', environment: 'happy-dom' },
})
