import react from '@vitejs/plugin-react'
import { loadEnv } from 'vite'
import { defineConfig } from 'vitest/config'
import { headwaterProxy } from './proxy.ts'

export default defineConfig(({ mode }) => ({
  // HEADWATER_URL and HEADWATER_API_KEY, from `.env` or the environment.
  plugins: [react(), headwaterProxy(loadEnv(mode, '.', 'HEADWATER_'))],
  test: { environment: 'happy-dom' },
}))
