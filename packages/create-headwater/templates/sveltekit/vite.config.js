import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter({ precompress: false }) }), svelteTesting()],
  test: { environment: 'happy-dom' },
})
