import { defineNuxtModule, extendRouteRules } from 'nuxt/kit'

/** Rules of the page `cached.vue`, by its paths. */
export default defineNuxtModule({
  setup() {
    extendRouteRules('/cached', { swr: 1 })
    extendRouteRules('/browser', { ssr: false })
  },
})
