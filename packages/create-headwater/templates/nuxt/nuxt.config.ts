export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  modules: ['@headwater/nuxt'],
  headwater: { operations: ['balances'], changes: true },
})
