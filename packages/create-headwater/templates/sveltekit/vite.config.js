import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { svelteTesting } from '@testing-library/svelte/vite'
import { loadEnv } from 'vite'
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => {
  // `vite dev` and `vite preview` read `.env`; in production, HEADWATER_URL and HEADWATER_API_KEY are set in the environment.
  Object.assign(process.env, loadEnv(mode, '.', 'HEADWATER_'))
  return {
    plugins: [sveltekit({ adapter: adapter({ precompress: false }) }), svelteTesting()],
    test: { environment: 'happy-dom' },
  }
})
