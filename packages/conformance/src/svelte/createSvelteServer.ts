import { render } from 'svelte/server'
import { balancesQueryOptions, createClient } from '@headwater/core'
import type { ServerEntry } from '../Driver.ts'
import SveltePage from './SveltePage.svelte'

/** The server side of Svelte. With `isRune`, components read `store.current` instead of `$store`. */
export const createSvelteServer = (isRune: boolean): ServerEntry => ({
  createClient,
  balancesQueryOptions,
  renderToString: async (page) => (await render(SveltePage, { props: { page, isRune } })).body,
})
