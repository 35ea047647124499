import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { balancesQueryOptions, createClient } from '@headwater/core'
import type { ServerEntry } from '../Driver.ts'
import { ReactPage } from './ReactPage.ts'

/** Bundled separately (`?server`) to render on the server. */
export const serverEntry: ServerEntry = {
  createClient,
  balancesQueryOptions,
  renderToString: async (page) => renderToString(createElement(ReactPage, { page })),
}
