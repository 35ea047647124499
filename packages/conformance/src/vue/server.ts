import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { balancesQueryOptions, createClient } from '@headwater/core'
import type { Server } from '../Driver.ts'
import { createVuePage } from './createVuePage.ts'

export const server: Server = {
  createClient,
  balancesQueryOptions,
  renderToString: (page) => renderToString(createVuePage(createSSRApp, page).app),
}
