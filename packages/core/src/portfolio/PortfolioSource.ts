import type { Balance, BalancesErrors } from '@headwater/contract'
import { replaceEqualDeep } from '@tanstack/query-core'
import type { CollectionSnapshot, CollectionStream } from '../collections/CollectionSnapshot.ts'
import { createSnapshotReader } from '../streams/createSnapshotReader.ts'
import type { Snapshot } from '../streams/Snapshot.ts'
import type { WatchOptions } from '../streams/WatchOptions.ts'
import { createPortfolio } from './createPortfolio.ts'
import type { Portfolio } from './Portfolio.ts'
import type { UnreadPages } from './UnreadPages.ts'

type Balances = CollectionSnapshot<Balance, readonly Balance[], BalancesErrors>

/** What snapshots of a portfolio are made of: the stream of a wallet's balances, read to its end. */
export class PortfolioSource<S> {
  readonly #balances: CollectionStream<Balance, readonly Balance[], BalancesErrors>
  readonly #offsets: () => readonly number[]
  readonly #pages: UnreadPages
  readonly #read: (state: {
    status: Snapshot<Portfolio>['status']
    data: Portfolio | undefined
    error: Error | null
  }) => Snapshot<S>
  #seen: Balances | undefined
  #portfolio: Portfolio | undefined
  #stop = () => {}

  /**
   * @param balances - What the wallet holds.
   * @param offsets - The hours in the past whose prices were asked for; not called before there are rows.
   * @param pages - Reads them.
   * @param options - How to look at it.
   */
  constructor(
    balances: CollectionStream<Balance, readonly Balance[], BalancesErrors>,
    offsets: () => readonly number[],
    pages: UnreadPages,
    options: Pick<WatchOptions<Portfolio, S>, 'select' | 'placeholderData'>,
  ) {
    this.#balances = balances
    this.#offsets = offsets
    this.#pages = pages
    this.#read = createSnapshotReader(options, () => balances.getSnapshot().refetch())
  }

  readonly start = (update: () => void): void => {
    const subscription = this.#balances.subscribe((snapshot) => {
      update()
      this.#pages.look(snapshot)
    })
    this.#stop = () => {
      subscription.unsubscribe()
      this.#pages.stop()
    }
  }

  readonly stop = (): void => this.#stop()

  readonly read = (): Snapshot<S> => {
    const balances = this.#balances.getSnapshot()
    const { status, error } = balances
    return this.#read({ status, data: this.#addUp(balances), error })
  }

  #addUp(balances: Balances): Portfolio | undefined {
    if (balances === this.#seen) return this.#portfolio
    this.#seen = balances
    const { data, error, errors, warnings, hasNextPage } = balances
    const complete = !(error || errors || hasNextPage || warnings.length > 0)
    const portfolio = data && createPortfolio(data, this.#offsets(), { complete, warnings, errors })
    this.#portfolio = replaceEqualDeep(this.#portfolio, portfolio)
    return this.#portfolio
  }
}
