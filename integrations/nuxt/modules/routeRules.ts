import { defineNuxtModule, extendRouteRules } from 'nuxt/kit'

/** Rules of the added pages. */
export default defineNuxtModule({
  setup() {
    extendRouteRules('/cached', { swr: 1 })
  },
})
