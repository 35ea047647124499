export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  modules: ['@headwater/nuxt'],
  app: {
    head: { title: 'Balances', htmlAttrs: { lang: 'en', style: 'color-scheme: light dark' } },
  },
  // Prices also need tokenBalance and tokenInfo.
  headwater: { operations: ['balances'], changes: true },
})
