import type { Balance, BalancesParameters } from '@headwater/contract'
import { balancesOperation } from '../balances/balancesOperation.ts'
import { watchBalances } from '../balances/watchBalances.ts'
import type { Client } from '../client/Client.ts'
import type { CollectionOptions, ListParameters } from '../collections/CollectionOptions.ts'
import { normalizeParameters } from '../operation/normalizeParameters.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import { streamKey } from '../streams/streamKey.ts'
import { createWatcher } from '../streams/Watcher.ts'
import type { WatchOptions } from '../streams/WatchOptions.ts'
import type { Portfolio } from './Portfolio.ts'
import { PortfolioSource } from './PortfolioSource.ts'
import { UnreadPages } from './UnreadPages.ts'

/**
 * Which wallet, on which chains; `historicalPrices` for changes. Those of `watchBalances`.
 *
 * @example
 * import type { PortfolioParameters } from '@headwater/core'
 * const parameters: PortfolioParameters = {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   chainIds: [1, 8453],
 *   historicalPrices: [24],
 * }
 */
export type PortfolioParameters = ListParameters<BalancesParameters>

/**
 * How to watch a portfolio.
 *
 * @example
 * import type { PortfolioOptions } from '@headwater/core'
 * const options: PortfolioOptions = { refetchInterval: 60_000, maxPages: 5 }
 */
export interface PortfolioOptions<S = Portfolio> extends WatchOptions<Portfolio, S> {
  /** Most pages of the listing to read, the first included; a page has up to a thousand tokens. Default: any number. */
  readonly maxPages?: number
}

/**
 * Watches what a wallet is worth: in all, by chain, how that changed, and how far to trust it.
 *
 * It lives on the poll of `watchBalances` with the same parameters and asks nothing that this does not ask. Of a wallet
 * with more than a thousand tokens it reads the further pages once, when it comes; polls refresh the first page, which
 * has what is worth most. While pages are missing the sum is that of those that are here, and `complete` is false.
 *
 * The stream is cold, shared, replays its newest snapshot synchronously and completes only with the client; see
 * {@link SnapshotStream}. An answer that changes nothing of the portfolio emits nothing.
 *
 * @param client - Knows the service and polls for all its streams.
 * @param parameters - Whose portfolio, on which chains; with `historicalPrices` for changes.
 * @param options - How to watch.
 * @returns The stream; the same one for equal parameters and options, so it may be called at each render.
 * @example
 * import { createClient, watchPortfolio } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchPortfolio(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   historicalPrices: [24],
 * }).subscribe(({ data }) => {
 *   if (data) console.log(data.value_usd, data.changes[0]?.percent, data.complete)
 * })
 * subscription.unsubscribe()
 */
export function watchPortfolio<S = Portfolio>(
  client: Client,
  parameters: PortfolioParameters,
  options: PortfolioOptions<S> = {},
): SnapshotStream<S> {
  const asked = normalizeParameters(parameters)
  const { ledger, streams } = client
  const queryKey = ['portfolio', options.maxPages, asked]
  return streams.share(streamKey({ queryKey }, options), () => {
    // What is to be made of a portfolio is nothing for balances.
    const how = Object.fromEntries(
      Object.entries(options).filter(([name]) => name !== 'select' && name !== 'placeholderData'),
    ) as CollectionOptions<Balance>
    const balances = watchBalances(client, asked, how)
    const pages = new UnreadPages(
      balances.getSnapshot,
      createWatcher(how, undefined, () => {}),
      streams.poller,
      () => ledger.costOf(balancesOperation.declaration, asked),
    )
    return new PortfolioSource(balances, () => asked.historicalPrices ?? [], pages, options)
  })
}
