import * as headwater from '@headwater/vue'

export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  // Set by NUXT_HEADWATER_URL and NUXT_HEADWATER_API_KEY, and never sent to browsers.
  runtimeConfig: { headwaterUrl: '', headwaterApiKey: '' },
  imports: { presets: [{ from: '@headwater/vue', imports: Object.keys(headwater) }] },
})
