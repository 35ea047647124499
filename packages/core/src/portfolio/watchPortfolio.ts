import { replaceEqualDeep } from '@tanstack/query-core'
import {
  type Balance,
  balances,
  type BalancesErrors,
  type BalancesParameters,
} from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type {
  CollectionOptions,
  CollectionSnapshot,
  CollectionStream,
  ListParameters,
} from '../collections/CollectionSnapshot.ts'
import { watchBalances } from '../operations/balances.ts'
import { createStreamKey, createWatcher, type WatchOptions } from '../queries/WatchOptions.ts'
import { normalizeParameters } from '../requests/parameters.ts'
import { createSnapshotSelector } from '../snapshots/createSnapshotSelector.ts'
import type { SnapshotStream } from '../snapshots/Snapshot.ts'
import type { SnapshotSource } from '../snapshots/SnapshotObservable.ts'
import { createPortfolio } from './createPortfolio.ts'
import type { Portfolio } from './Portfolio.ts'
import { RemainingPages } from './RemainingPages.ts'

/**
 * Parameters of a portfolio: those of `watchBalances`; `historicalPrices` adds changes.
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
 * Options of a portfolio stream.
 *
 * @example
 * import type { PortfolioOptions } from '@headwater/core'
 * const options: PortfolioOptions = { refetchInterval: 60_000, maxPages: 5 }
 */
export interface PortfolioOptions<S = Portfolio> extends WatchOptions<Portfolio, S> {
  /** Maximum number of pages of up to 1,000 tokens, including the first. Default: unlimited. */
  readonly maxPages?: number
}

/**
 * Watches the value of a wallet: in total, by chain, its changes, and how complete it is.
 *
 * Uses the polls of `watchBalances` with the same parameters, and sends no other requests. The further pages of a wallet with
 * more than 1,000 tokens are loaded once; polls refetch the first page, which has the most valuable tokens. While pages are
 * missing, the totals are those of the loaded pages, and `complete` is false.
 *
 * The stream is cold, shared, replays its latest snapshot synchronously and completes with the client; see
 * {@link SnapshotStream}. A response that does not change the portfolio emits nothing.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains; `historicalPrices` for changes.
 * @param options - Polling, `select` and limits.
 * @returns The stream; the same one for equivalent parameters and options, so it may be called on every render.
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
  const normalized = normalizeParameters(parameters)
  const { ledger, streams } = client
  const key = createStreamKey(['portfolio', options.maxPages, normalized], options)
  return streams.share(key, () => {
    // `select` and `placeholderData` apply to the portfolio, not to its balances.
    const balancesOptions = Object.fromEntries(
      Object.entries(options).filter(([name]) => name !== 'select' && name !== 'placeholderData'),
    ) as CollectionOptions<Balance>
    const rows = watchBalances(client, normalized, balancesOptions)
    const remainingPages = new RemainingPages(
      rows.getSnapshot,
      createWatcher(balancesOptions, undefined, () => {}),
      streams.poller,
      () => ledger.estimate(balances, normalized),
    )
    return createSource(rows, remainingPages, normalized, options)
  })
}

function createSource<S>(
  rows: CollectionStream<Balance, readonly Balance[], BalancesErrors>,
  remainingPages: RemainingPages,
  { historicalPrices = [] }: PortfolioParameters,
  options: PortfolioOptions<S>,
): SnapshotSource<S> {
  const select = createSnapshotSelector(options, () => rows.getSnapshot().refetch())
  let input: CollectionSnapshot<Balance, readonly Balance[], BalancesErrors> | undefined
  let portfolio: Portfolio | undefined
  let stop = () => {}

  return {
    read() {
      const snapshot = rows.getSnapshot()
      const { status, data, error, errors, warnings, hasNextPage } = snapshot
      if (snapshot !== input) {
        input = snapshot
        const complete = !(error || errors || hasNextPage || warnings.length > 0)
        portfolio = replaceEqualDeep(
          portfolio,
          data && createPortfolio(data, historicalPrices, { complete, warnings, errors }),
        )
      }
      return select({ status, data: portfolio, error })
    },
    start(update) {
      const subscription = rows.subscribe((snapshot) => {
        update()
        remainingPages.onSnapshot(snapshot)
      })
      stop = () => {
        subscription.unsubscribe()
        remainingPages.stop()
      }
    },
    stop: () => stop(),
  }
}
