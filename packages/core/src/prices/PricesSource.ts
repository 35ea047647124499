import { replaceEqualDeep } from '@tanstack/query-core'
import { getPriceChange } from '../amounts/getPriceChange.ts'
import type { Client } from '../client/Client.ts'
import { isSameArray } from '../collections/RowSet.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { createQueryKey } from '../queries/queryKey.ts'
import { resolveWatchOptions, type WatchOptions } from '../queries/WatchOptions.ts'
import { createSnapshots, mergeFetchStates } from '../snapshots/createSnapshots.ts'
import type {
  SnapshotSource,
  SourceFetchState,
  SourceSnapshot,
  SourceTarget,
} from '../snapshots/SharedSource.ts'
import type { Price } from './Price.ts'
import { getPriceIndex, type PriceIndex } from './PriceIndex.ts'
import type { PriceTick } from './PriceTick.ts'
import { type PriceToken, validatePriceToken } from './PriceToken.ts'

/** What a stream displays of its prices. */
export interface PricesView<T> {
  /** Part of the keys of the stream. */
  readonly name: string
  /** Creates the data from ticks, some of which may be unknown; undefined while pending. */
  readonly toData: (ticks: (PriceTick | undefined)[]) => T | undefined
  /**
   * Adds the error of each token, and whether the first response of one is pending. Returns the same snapshot until
   * something changed.
   */
  readonly toSnapshot: (
    base: SourceSnapshot<T>,
    errors: (HeadwaterError | null)[],
    isPending: boolean,
  ) => SourceSnapshot<T>
}

interface PricesOptions extends Omit<WatchOptions<unknown>, 'select' | 'placeholderData'> {
  readonly historicalPrices?: readonly number[] | undefined
}

/** A token of the stream. */
interface Entry extends PriceToken {
  readonly isValid: boolean
  readonly error: HeadwaterError | null
}

/** Past prices are displayed for twice their tolerance, until the next ones have arrived. */
const displayTolerances = 2

/** The source of a stream of prices. */
export class PricesSource<T> implements SnapshotSource<SourceSnapshot<T>> {
  readonly #client: Client
  readonly #index: PriceIndex
  readonly #isSkipped: boolean
  readonly #entries: readonly Entry[]
  readonly #options: PricesOptions
  readonly #offsets: readonly number[]
  readonly #view: PricesView<T>
  readonly #toBase = createSnapshots<T>(() => this.#refetch())
  #data: T | undefined
  /** The ticks that the data was created from. */
  #ticks: readonly (PriceTick | undefined)[] | undefined
  /** The prices by position while the source is started; undefined for an invalid token. */
  #watched: (Price | undefined)[] | undefined
  #stops: (() => void)[] = []

  /** @param tokens - Undefined with `skipToken`, which is pending; an empty list is known. */
  constructor(
    client: Client,
    tokens: readonly PriceToken[] | undefined,
    options: PricesOptions,
    view: PricesView<T>,
  ) {
    this.#client = client
    this.#index = getPriceIndex(client)
    this.#options = options
    this.#view = view
    const offsets = options.historicalPrices ?? []
    // Copies, as the caller may mutate its arrays.
    this.#offsets = [offsets].flat()
    this.#isSkipped = tokens === undefined
    // What is not a list is one invalid token.
    this.#entries = (tokens === undefined ? [] : [tokens].flat()).map((token) => {
      const { chainId, address } = token ?? {}
      const error = validatePriceToken(tokens, { chainId, address }, offsets)
      // The parameters of a disabled stream may not be known yet.
      return {
        chainId,
        address,
        isValid: !error,
        error: (options.enabled !== false && error) || null,
      }
    })
  }

  read(): SourceSnapshot<T> {
    const prices = this.#watched ?? this.#getPrices()
    const ticks = prices.map((price) => price && toTick(price, this.#offsets))
    // A shallow comparison first: snapshots are read several times per render.
    if (!this.#ticks || !isSameArray(ticks, this.#ticks)) {
      this.#ticks = ticks
      this.#data = replaceEqualDeep(
        this.#data,
        this.#isSkipped ? undefined : this.#view.toData(ticks),
      )
    }
    // Errors are not dehydrated, so the server renders what the browser starts with.
    const isOmitted = this.#client.ssr && !this.#watched
    const errors = this.#entries.map(({ error }, position) =>
      isOmitted ? error : (prices[position]?.error ?? error),
    )
    const error = errors.every(Boolean) ? errors[0] : undefined
    const base = this.#toBase({
      status: error ? 'error' : this.#data === undefined ? 'pending' : 'success',
      data: this.#data,
      error: error ?? null,
    })
    const isPending = ticks.some((tick, position) => !tick && !errors[position])
    return this.#view.toSnapshot(base, errors, isPending)
  }

  readFetchState(): SourceFetchState {
    const prices = (this.#watched ?? this.#getPrices()).filter((price) => price !== undefined)
    const willFetch =
      !this.#watched &&
      this.#options.enabled !== false &&
      prices.some(({ tick, error }) => !tick && !error)
    return mergeFetchStates(
      prices.map(({ tick, requested, state }) => ({
        fetchStatus: willFetch || requested ? 'fetching' : 'idle',
        dataUpdatedAt: tick ? state.dataUpdatedAt : 0,
      })),
    )
  }

  start(target: SourceTarget): void {
    const { queryClient, scope, streams } = this.#client
    const queryKey = createQueryKey(scope, this.#view.name, {})
    const { staleTime } = queryClient.defaultQueryOptions({ queryKey })
    const observer = {
      ...resolveWatchOptions(this.#options, streams.defaults, staleTime),
      ...target,
      offsets: this.#offsets,
    }
    this.#watched = this.#getPrices()
    // A token that is listed twice is watched once.
    this.#stops = [...new Set(this.#watched)]
      .filter((price) => price !== undefined)
      .map((price) => this.#index.watch(price, observer))
  }

  stop(): void {
    this.#watched = undefined
    for (const stop of this.#stops) {
      stop()
    }
  }

  async #refetch(): Promise<void> {
    await Promise.all(this.#getPrices().map(async (price) => price && this.#index.load(price)))
  }

  /** The prices by position; undefined for an invalid token. */
  #getPrices(): (Price | undefined)[] {
    return this.#entries.map(({ chainId, address, isValid }) =>
      isValid ? this.#index.get(chainId, address) : undefined,
    )
  }
}

function toTick(price: Price, offsets: readonly number[]): PriceTick | undefined {
  const { tick } = price
  if (!tick || offsets.length === 0) {
    return tick
  }
  const { past, state } = price
  // Before the price that they are compared with, without reading the clock, which prerendering forbids.
  const known = offsets.flatMap(
    (offset) => past.find(offset, displayTolerances, state.dataUpdatedAt) ?? [],
  )
  const withPast = { ...tick, historical_prices: known }
  return {
    ...withPast,
    changes: offsets.map((offset) => {
      const percent = getPriceChange(withPast, offset)
      return { offset_hours: offset, ...(percent !== undefined && { percent }) }
    }),
  }
}
