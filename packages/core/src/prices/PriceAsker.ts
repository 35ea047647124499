import type { BalancesParameters } from '@headwater/contract'
import { hashKey } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { HeadwaterError, isHeadwaterError } from '../errors/HeadwaterError.ts'
import { retryAfterOf } from '../errors/retryAfterOf.ts'
import { balancesOperation } from '../balances/balancesOperation.ts'
import type { ClientOperation } from '../operation/ClientOperation.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import { tokenBalanceOperation } from '../tokenBalance/tokenBalanceOperation.ts'
import { tokenInfoOperation } from '../tokenInfo/tokenInfoOperation.ts'
import { singleKey } from './coverPrices.ts'
import { planPrices, type PriceRequest } from './planPrices.ts'
import type { Price, PriceContext } from './Price.ts'
import type { PriceIndex } from './PriceIndex.ts'

const operations = {
  balances: balancesOperation,
  tokenBalance: tokenBalanceOperation,
  tokenInfo: tokenInfoOperation,
}
/** How long prices wait for an answer under way that may tell them, in milliseconds. */
const longestWait = 3000

interface SentRequest extends PriceRequest<Price> {
  /** Resolves with what went wrong, if anything did. */
  readonly ended: Promise<unknown>
}

/** Asks for prices: those wanted at one moment together, by the requests that cost the fewest units for all of them. */
export class PriceAsker implements PriceContext {
  readonly #client: Client
  readonly #index: PriceIndex
  /** What is to be planned, and whether it still is to be. */
  readonly #asked = new Map<Price, () => boolean>()
  #round: Promise<Map<Price, SentRequest>> | undefined
  readonly #underWay = new Set<readonly unknown[]>()
  #singlesTellPast = true
  #destroyed = false

  constructor(client: Client, index: PriceIndex) {
    this.#client = client
    this.#index = index
  }

  isCovered(key: string, interval: number): boolean {
    return this.#index.isCovered(key, interval)
  }

  /**
   * Asks for a price and for what is missing of its past, or joins what asks for it already. Never rejects.
   *
   * @param isDue - False when the price itself is known well enough, and only past ones are missing.
   */
  ask(price: Price, isDue = true): Promise<void> {
    price.asking ??= this.#learn(price, isDue).finally(() => {
      price.asking = undefined
      this.#index.tell([price])
    })
    return price.asking
  }

  destroy(): void {
    this.#destroyed = true
    for (const queryKey of this.#underWay) {
      void this.#client.queryClient.cancelQueries({ queryKey, exact: true })
    }
  }

  async #learn(price: Price, isDue: boolean): Promise<void> {
    const { told } = price
    const isWanted = () => (isDue && price.told === told) || price.missing.length > 0
    while (isWanted()) {
      const toldBefore = price.told
      this.#asked.set(price, isWanted)
      const sent = await (this.#round ??= Promise.resolve().then(() => this.#send()))
      const request = sent.get(price)
      // Something else told it meanwhile.
      if (!request) return
      const error = await request.ended
      if (price.told > toldBefore) this.#succeed(price, request)
      else if (!this.#goOn(price, request, error)) {
        if (isDue && price.told === told) price.fail(error ?? untold(price))
        return
      }
    }
  }

  /** Plans what was asked for up to now, and sends it. */
  async #send(): Promise<Map<Price, SentRequest>> {
    await this.#expected()
    this.#round = undefined
    const wants = [...this.#asked].filter(([, isWanted]) => isWanted()).map(([price]) => price)
    this.#asked.clear()
    const sent = new Map<Price, SentRequest>()
    if (this.#destroyed) return sent
    const { wallets, watched } = this.#index
    const welcome = watched
      .filter((price) => price.interval < Infinity && !this.isCovered(price.key, price.interval))
      .map(({ key }) => key)
    const plan = planPrices(wants, { wallets, welcome, singlesTellPast: this.#singlesTellPast })
    for (const request of plan) {
      for (const { past, missing } of request.wants) {
        const offsets = missing.filter((offset) => request.offsets.includes(offset))
        if (offsets.length > 0) past.asked(offsets, Date.now())
      }
      const ended = this.#fetch(request)
      for (const price of request.wants) sent.set(price, { ...request, ended })
    }
    return sent
  }

  /** Resolves when the answers under way that may tell what was asked are there, or soon. */
  async #expected(): Promise<void> {
    const { streams, queryClient } = this.#client
    const asked = [...this.#asked.keys()]
    const cache = queryClient.getQueryCache()
    const answers = streams
      .watched()
      .filter(({ queryKey }) => asked.some((price) => this.#mayTell(queryKey, price)))
      .map(({ queryKey }) => cache.get(hashKey(queryKey)))
      .filter((query) => query?.state.fetchStatus === 'fetching')
    if (answers.length === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestWait)
      void Promise.allSettled(answers.map((query) => Promise.resolve(query?.promise))).then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Whether the answer of a question may tell a price, as far as is known. */
  #mayTell(queryKey: readonly unknown[], { key, chainId }: Price): boolean {
    if (queryKey[2] !== 'balances') return singleKey(queryKey) === key
    const wallet = this.#index.wallet(queryKey)
    if (wallet) return wallet.keys.has(key)
    const { chainIds } = queryKey[3] as BalancesParameters
    return !chainIds || chainIds.some((id) => id === chainId || typeof id === 'string')
  }

  async #fetch({ operation, parameters }: PriceRequest<Price>): Promise<unknown> {
    // Each operation gets parameters of its own.
    const asked = operations[operation] as unknown as ClientOperation<object, object>
    const { retry, ...options } = createQueryOptions(this.#client, asked, parameters)
    this.#underWay.add(options.queryKey)
    try {
      await this.#client.queryClient.fetchQuery({
        ...options,
        staleTime: 0,
        // The poller waits for as long as the service asks, and meanwhile everybody sees why.
        retry: (count: number, error: Error) => retryAfterOf(error) === 0 && retry(count, error),
      })
      return undefined
    } catch (error) {
      return error
    } finally {
      this.#underWay.delete(options.queryKey)
    }
  }

  #succeed(price: Price, { operation, offsets }: SentRequest): void {
    price.way = price.leastWay
    const now = Date.now()
    if (offsets.length === 0 || offsets.some((offset) => price.past.find(offset, now))) return
    if (operation !== 'tokenBalance') return
    // The specification does not say that it does.
    this.#singlesTellPast = false
    price.past.asked(offsets, -Infinity)
  }

  /** Takes note that a request did not tell a price; whether there is another way that can be tried at once. */
  #goOn(price: Price, { operation, offsets }: SentRequest, error: unknown): boolean {
    const status = isHeadwaterError(error) && 'status' in error ? Number(error.status) : 0
    const isRefused = status === 400 || status === 404
    // What is wrong with the key, the budget or the network is so whichever way is taken.
    const isOfThisWay = !error || isRefused || status >= 500 || isMalformed(error)
    if (operation === 'tokenInfo' || !isOfThisWay) return false
    if (operation === 'balances') price.way = 1
    else {
      price.way = 2
      if (status === 400 && offsets.length > 0) this.#singlesTellPast = false
      else if (!error || isRefused) price.leastWay = 2
    }
    return !error || isRefused
  }
}

function isMalformed(error: unknown): boolean {
  return isHeadwaterError(error) && error.name === 'MalformedAnswerError'
}

function untold({ key }: Price): HeadwaterError {
  return new HeadwaterError('The service answered, and told nothing of the token.', {
    details: key,
  })
}
