import { replaceEqualDeep } from '@tanstack/query-core'
import { Subscription } from 'rxjs'
import {
  type Balance,
  balances,
  type BalancesErrors,
  type BalancesParameters,
  type BalancesResponse,
} from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { requireClient } from '../client/requireClient.ts'
import type {
  CollectionOptions,
  CollectionStream,
  ListParameters,
} from '../collections/CollectionSnapshot.ts'
import { mergeNotices } from '../collections/pages.ts'
import { isSameArray } from '../collections/RowSet.ts'
import { watchCollection } from '../collections/watchCollection.ts'
import type { QueryParameters } from '../queries/WatchedQuery.ts'
import { createStreamKey, prepareOptions, type WatchOptions } from '../queries/WatchOptions.ts'
import { isSkipped, normalizeParameters } from '../requests/parameters.ts'
import { createSnapshots, mergeFetchStates } from '../snapshots/createSnapshots.ts'
import type { SnapshotSource, SourceSnapshot } from '../snapshots/SharedSource.ts'
import type { SnapshotStream } from '../snapshots/Snapshot.ts'
import { ChainSums, createPortfolio } from './createPortfolio.ts'
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
export interface PortfolioParameters extends Omit<ListParameters<BalancesParameters>, 'address'> {
  /** The wallet, or several wallets as one portfolio, in any order. */
  readonly address: string | readonly string[]
}

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
 * Watches the total value of one or several wallets, by chain, wallet and token, and over time. Costs one unit per wallet,
 * chain and poll, for any number of subscribers.
 *
 * With several wallets, the portfolio contains those with a response; `complete` is false until all of them have one. A
 * wallet with an error is a warning (`WALLET_FAILED`); `status` is `error` only while all of them fail.
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
 * @param parameters - Wallets and chains; `historicalPrices` for changes.
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
 * @example
 * import { createClient, watchPortfolio } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const address = [
 *   '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   '0xab5801a7d398351b8be11c439e05c5b3259aec9b',
 * ]
 * const subscription = watchPortfolio(client, { address }).subscribe(({ data }) => {
 *   for (const { symbol, amount, wallets } of data?.holdings ?? []) {
 *     console.log(symbol, amount, wallets.length)
 *   }
 * })
 * subscription.unsubscribe()
 */
export function watchPortfolio<S = Portfolio>(
  client: Client,
  parameters: QueryParameters<PortfolioParameters>,
  inputOptions: PortfolioOptions<S> = {},
): SnapshotStream<S> {
  requireClient(client)
  const options = prepareOptions(inputOptions, isSkipped(balances, parameters))
  const { address, ...otherParameters } = normalizeParameters(parameters as PortfolioParameters)
  const { maxPages, tailRefetchInterval } = options
  const parametersKey = createStreamKey([address, otherParameters], options)
  // Not as JSON, which has no `Infinity`.
  const key = ['portfolio', maxPages, tailRefetchInterval, parametersKey].join()
  return client.streams.share(key, options, () => {
    // `select` and `placeholderData` apply to the portfolio, not to its balances.
    const { select, placeholderData, ...balancesOptions } = options
    const wallets = [address].flat().map((each) => ({
      address: each,
      balances$: watchCollection<
        BalancesParameters,
        BalancesResponse,
        Balance,
        readonly Balance[],
        BalancesErrors
      >(
        client,
        balances,
        // A missing address is an error, an undefined one is not known yet.
        { ...otherParameters, ...(each !== undefined && { address: each }) } as BalancesParameters,
        { ...balancesOptions, loadsAll: true },
      ),
    }))
    return createPortfolioSource(wallets, otherParameters.historicalPrices ?? [])
  })
}

interface Wallet {
  readonly address: string
  readonly balances$: CollectionStream<Balance, readonly Balance[], BalancesErrors>
}

function createPortfolioSource(
  wallets: readonly Wallet[],
  offsets: readonly number[],
): SnapshotSource<SourceSnapshot<Portfolio>> {
  const getSnapshots = () => wallets.map(({ balances$ }) => balances$.getSnapshot())
  const toSnapshot = createSnapshots<Portfolio>(async () => {
    await Promise.all(getSnapshots().map(({ refetch }) => refetch()))
  })
  /** The sums of the rows of a wallet, which keep their identity while the wallet does not change. */
  const sums = new WeakMap<readonly Balance[], ChainSums>()
  let latest: ReturnType<typeof getSnapshots> | undefined
  let portfolio: Portfolio | undefined
  let subscription: Subscription | undefined

  const sumRows = (rows: readonly Balance[]) => {
    const known = sums.get(rows) ?? new ChainSums(offsets, rows)
    sums.set(rows, known)
    return known
  }
  const addUp = (snapshots: ReturnType<typeof getSnapshots>) => {
    const balancesOfWallets = wallets.map(({ address }, index) => {
      const { data: rows = [], status, errors, hasNextPage, warnings } = snapshots[index]!
      const complete = status === 'success' && !errors && !hasNextPage && warnings.length === 0
      return { address, rows, sums: sumRows(rows), complete }
    })
    const failures = wallets.flatMap(({ address }, index) => {
      const { error } = snapshots[index]!
      const message = `The balances of ${address} could not be fetched: ${error?.shortMessage}`
      return error ? { code: 'WALLET_FAILED', message } : []
    })
    const notices = mergeNotices(...snapshots, { warnings: failures })
    return createPortfolio(balancesOfWallets, offsets, notices)
  }

  return {
    read() {
      const snapshots = getSnapshots()
      const hasData = snapshots.length === 0 || snapshots.some(({ data }) => data)
      if (!latest || !isSameArray(snapshots, latest)) {
        latest = snapshots
        portfolio = hasData ? replaceEqualDeep(portfolio, addUp(snapshots)) : undefined
      }
      // One failing wallet is a warning.
      const errors = snapshots.flatMap(({ error }) => error ?? [])
      const error = errors.length < wallets.length ? null : (errors[0] ?? null)
      const status = error ? 'error' : hasData ? 'success' : 'pending'
      return toSnapshot({ status, data: portfolio, error })
    },
    readFetchState: () => mergeFetchStates(getSnapshots()),
    start({ update }) {
      subscription = new Subscription()
      for (const { balances$ } of wallets) {
        subscription.add(balances$.subscribe(update))
      }
    },
    stop() {
      subscription?.unsubscribe()
    },
  }
}
