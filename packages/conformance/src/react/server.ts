import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { balancesQueryOptions, createClient } from '@headwater/core'
import type { Server } from '../Driver.ts'
import { ReactPage } from './ReactPage.ts'

export const server: Server = {
  createClient,
  balancesQueryOptions,
  renderToString: async (page) => renderToString(createElement(ReactPage, { page })),
}
