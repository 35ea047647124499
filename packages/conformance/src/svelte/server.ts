import { balancesQueryOptions, createClient } from '@headwater/core'
import { render } from 'svelte/server'

import type { Server } from '../Driver.ts'
import SveltePage from './SveltePage.svelte'

export const server: Server = {
  createClient,
  balancesQueryOptions,
  renderToString: async (page) => (await render(SveltePage, { props: { page } })).body,
}
