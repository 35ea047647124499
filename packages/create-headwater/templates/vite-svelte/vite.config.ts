import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { loadEnv } from 'vite'
import { defineConfig } from 'vitest/config'
import { headwaterProxy } from './proxy.ts'

export default defineConfig(({ mode }) => ({
  // HEADWATER_URL and HEADWATER_API_KEY, from `.env` or the environment.
  plugins: [svelte(), svelteTesting(), headwaterProxy(loadEnv(mode, '.', 'HEADWATER_'))],
  test: { environment: 'happy-dom' },
}))
