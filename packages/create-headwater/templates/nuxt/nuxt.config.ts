export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  modules: ['@headwater/nuxt'],
  app: { head: { title: 'Balances' } },
  // Prices also need tokenBalance and tokenInfo.
  headwater: { operations: ['balances'], changes: true },
})
