import { replaceEqualDeep } from '@tanstack/query-core'
import type { Subscription } from 'rxjs'
import {
  type Balance,
  balances,
  type BalancesErrors,
  type BalancesParameters,
  type BalancesResponse,
} from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type {
  CollectionOptions,
  CollectionSnapshot,
  CollectionStream,
  ListParameters,
} from '../collections/CollectionSnapshot.ts'
import { watchCollection } from '../collections/watchCollection.ts'
import type { QueryParameters } from '../queries/WatchedQuery.ts'
import { createStreamKey, disableIf, type WatchOptions } from '../queries/WatchOptions.ts'
import { isSkipped, normalizeParameters } from '../requests/parameters.ts'
import { createSnapshots } from '../snapshots/createSnapshots.ts'
import type { SnapshotSource } from '../snapshots/SharedSource.ts'
import type { Snapshot, SnapshotStream } from '../snapshots/Snapshot.ts'
import { createPortfolio } from './createPortfolio.ts'
import type { Portfolio } from './Portfolio.ts'

/**
 * Parameters of a portfolio: those of `watchBalances`; `historicalPrices` adds price changes.
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
export interface PortfolioOptions<S = Portfolio>
  extends
    WatchOptions<Portfolio, S>,
    Pick<CollectionOptions<Balance>, 'maxPages' | 'tailRefetchInterval'> {}

/**
 * Watches the total value of a wallet, by chain and over time.
 *
 * Shares the query of `watchBalances` with the same parameters. Only the pages after the first, of up to 1,000 tokens, are
 * requested in addition: polls refetch the first page, which has the most valuable tokens, and `tailRefetchInterval` is the
 * interval of the others. While pages are missing or outdated, the totals are those of the known rows, and `complete` is
 * false.
 *
 * The stream is lazy and ref-counted, replays its latest snapshot synchronously and completes with the client; see
 * {@link SnapshotStream}. A response that does not change the portfolio emits nothing.
 *
 * @param client - The client.
 * @param parameters - Wallet and chains; `historicalPrices` for changes.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
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
  parameters: QueryParameters<PortfolioParameters>,
  inputOptions: PortfolioOptions<S> = {},
): SnapshotStream<S> {
  const options = disableIf(isSkipped(balances, parameters), inputOptions)
  const normalizedParameters = normalizeParameters(parameters as PortfolioParameters)
  const { maxPages, tailRefetchInterval } = options
  const keyParts = ['portfolio', maxPages, tailRefetchInterval, normalizedParameters]
  return client.streams.share(createStreamKey(keyParts, options), options, () => {
    // `select` and `placeholderData` apply to the portfolio, not to its balances.
    const { select, placeholderData, ...balancesOptions } = options
    const balances$ = watchCollection<
      BalancesParameters,
      BalancesResponse,
      Balance,
      readonly Balance[],
      BalancesErrors
    >(client, balances, normalizedParameters, { ...balancesOptions, loadsAll: true })
    return createPortfolioSource(balances$, normalizedParameters)
  })
}

function createPortfolioSource(
  balances$: CollectionStream<Balance, readonly Balance[], BalancesErrors>,
  { historicalPrices = [] }: PortfolioParameters,
): SnapshotSource<Snapshot<Portfolio>> {
  const toSnapshot = createSnapshots<Portfolio>(() => balances$.getSnapshot().refetch())
  let latestRows: CollectionSnapshot<Balance, readonly Balance[], BalancesErrors> | undefined
  let portfolio: Portfolio | undefined
  let subscription: Subscription | undefined

  return {
    read() {
      const snapshot = balances$.getSnapshot()
      const { status, data, error, errors, warnings, hasNextPage } = snapshot
      if (snapshot !== latestRows) {
        latestRows = snapshot
        const complete = !(error || errors || hasNextPage || warnings.length > 0)
        portfolio = replaceEqualDeep(
          portfolio,
          data && createPortfolio(data, historicalPrices, { complete, warnings, errors }),
        )
      }
      return toSnapshot({ status, data: portfolio, error })
    },
    start(update) {
      subscription = balances$.subscribe(update)
    },
    stop() {
      subscription?.unsubscribe()
    },
  }
}
