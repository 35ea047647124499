import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { balancesQueryOptions, createClient } from '@headwater/core'
import type { ServerEntry } from '../Driver.ts'
import { createVuePage } from './createVuePage.ts'

/** Bundled separately (`?server`) to render on the server. */
export const serverEntry: ServerEntry = {
  createClient,
  balancesQueryOptions,
  renderToString: (page) => renderToString(createVuePage(createSSRApp, page).app),
}
