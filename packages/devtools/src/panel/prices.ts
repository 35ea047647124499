import { html, type TemplateResult } from 'lit/html.js'
import { watchPrices } from '@headwater/core'
import { getKnownPrices } from '@headwater/core/inspect'
import type { Recorder } from '../Recorder.ts'
import { formatDuration, formatJson } from './formats.ts'
import { renderTable, renderText, type View } from './view.ts'

/** The known prices and the operation that each is from. */
export function renderPrices({ client }: Recorder, view: View): TemplateResult {
  // Creates the price index of an app that has no stream of a price; requests nothing.
  watchPrices(client, []).getSnapshot()
  const now = Date.now()
  return renderTable(view, {
    caption: 'Prices',
    columns: [
      ['Token', 330],
      ['USD', 160],
      ['Source', 100],
      ['Observed', 100],
      ['Liquidity', 80],
      ['Responses', 85],
      ['Subscribers', 95],
    ],
    rows: getKnownPrices(client),
    testId: 'devtools-price',
    getKey: ({ chainId, address }) => `${chainId}/${address}`,
    getText: ({ chainId, address, tick }) => `${chainId}/${address} ${tick?.source ?? ''}`,
    getTitle: ({ chainId, address }) => `${chainId}/${address}`,
    renderCells: ({ tick, error, responses, subscribers }) => html`
      <td class="number">${tick?.price_usd ?? '–'}</td>
      <td class=${error ? 'bad' : ''}>${error ? error.name : (tick?.source ?? '–')}</td>
      <td>${tick ? `${formatDuration(now - tick.observedAt)} ago` : '–'}</td>
      <td class=${tick?.lowLiquidity ? 'warn' : 'muted'}>${tick?.lowLiquidity ? 'low' : '–'}</td>
      <td class="number">${responses}</td>
      <td class="number">${subscribers}</td>
    `,
    renderDetails: ({ tick, error }) => renderText('Price', formatJson(error?.message ?? tick)),
    empty: 'No response contained a price yet.',
  })
}
