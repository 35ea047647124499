import type { BalancesParameters, TokenBalanceParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { HeadwaterError } from '../errors/HeadwaterError.ts'
import { retryAfterOf } from '../errors/retryAfterOf.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import { planPrices, type PricedWallet, type PriceRequest } from './planPrices.ts'
import type { Price } from './Price.ts'
import { priceOperations } from './priceOperations.ts'

/** How long prices wait for an answer under way that may tell them, in milliseconds. */
const longestWait = 3000

interface SentRequest extends PriceRequest<Price> {
  /** Resolves with what went wrong, if anything did. */
  readonly ended: Promise<unknown>
}

/** What is known of prices. */
export interface KnownPrices {
  /** The prices that somebody wants to be polled. */
  readonly polled: () => Price[]
  /** The wallets whose first page of balances is known. */
  readonly wallets: () => PricedWallet[]
  /** Which prices the newest answer to a question told; undefined while it was not answered. */
  readonly keysOf: (queryKey: readonly unknown[]) => ReadonlySet<string> | undefined
  /** Tells whoever watches some prices that they may have changed. */
  readonly tell: (prices: readonly Price[]) => void
}

/**
 * Asks for a price and for what is missing of its past, or joins what asks for it already. Never rejects.
 *
 * @param isDue - False when the price itself is known well enough, and only past ones are missing.
 */
export type AskPrice = (price: Price, isDue?: boolean) => Promise<void>

/** Asks for prices: those wanted at one moment together, by the requests that cost the fewest units for all of them. */
export function createPriceAsker(client: Client, known: KnownPrices): AskPrice {
  /** What is to be planned, and whether it still is to be. */
  const asked = new Map<Price, () => boolean>()
  const failed = new Set<Price>()
  let round: Promise<Map<Price, SentRequest>> | undefined
  let singlesTellPast = true

  return (price, isDue = true) =>
    (price.asking ??= learn(price, isDue)
      .catch((error: unknown) => {
        // Else what is missing would be asked for again at once.
        price.past.asked(price.missing)
        fail(price, error)
      })
      .finally(() => {
        price.asking = undefined
        client.streams.poller.update(price)
      }))

  /** Many fail of one reason: whoever watches them is told once. */
  function fail(price: Price, error: unknown): void {
    price.fail(error)
    if (failed.size === 0) {
      queueMicrotask(() => {
        const prices = [...failed]
        failed.clear()
        known.tell(prices)
      })
    }
    failed.add(price)
  }

  async function learn(price: Price, isDue: boolean): Promise<void> {
    const toldFirst = price.told
    const isTold = () => price.told > toldFirst
    const isWanted = () => (isDue && !isTold()) || price.missing.length > 0
    while (isWanted()) {
      const { told } = price
      asked.set(price, isWanted)
      const sent = await (round ??= Promise.resolve().then(send))
      const request = sent.get(price)
      if (!request) {
        // Something else told it meanwhile.
        price.cost = 0
        return
      }
      const error = await request.ended
      if (price.told > told) succeed(price, request)
      else if (!findOtherWay(price, request, error)) {
        if (isDue && !isTold()) fail(price, error ?? untold(price))
        return
      }
    }
  }

  /** Plans what was asked for up to now, and sends it. */
  async function send(): Promise<Map<Price, SentRequest>> {
    // What other tabs know need not be asked.
    const { deputy } = client.streams.poller
    if (deputy?.ready) await deputy.ready
    await expected()
    round = undefined
    const wants = [...asked].filter(([, isWanted]) => isWanted()).map(([price]) => price)
    asked.clear()
    const sent = new Map<Price, SentRequest>()
    for (const request of planPrices(wants, known.polled(), known.wallets(), singlesTellPast)) {
      const { operation, parameters, offsets } = request
      const { declaration } = priceOperations[operation]
      const cost = client.ledger.costOf(declaration, parameters) / request.wants.length
      const ended = fetch(request)
      for (const price of request.wants) {
        price.past.asked(offsets)
        price.cost = cost
        sent.set(price, { ...request, ended })
      }
    }
    return sent
  }

  /** Resolves when the answers under way that may tell what was asked are there, or soon. */
  async function expected(): Promise<void> {
    const wanted = [...asked.keys()]
    const answers = client.streams
      .watched()
      .filter(({ underWay, queryKey }) => {
        const keys = underWay && known.keysOf(queryKey)
        return underWay && wanted.some((price) => mayTell(queryKey, keys, price))
      })
      .map(({ underWay }) => Promise.resolve(underWay))
    if (answers.length === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestWait)
      void Promise.allSettled(answers).then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async function fetch({ operation, parameters }: PriceRequest<Price>): Promise<unknown> {
    const options = createQueryOptions(client, priceOperations[operation], parameters)
    try {
      await client.queryClient.fetchQuery({
        ...options,
        staleTime: 0,
        // What was kept of an earlier visit is no answer.
        ...({ persister: undefined } as object),
        // The poller waits for as long as the service asks, and meanwhile everybody sees why.
        retry: (count: number, error: Error) =>
          retryAfterOf(error) === 0 && options.retry(count, error),
      })
      return undefined
    } catch (error) {
      return error
    }
  }

  function succeed(price: Price, { operation, offsets }: SentRequest): void {
    price.way = price.leastWay
    if (operation !== 'tokenBalance' || offsets.length === 0) return
    if (offsets.some((offset) => price.past.find(offset))) return
    // The specification does not say that it does.
    singlesTellPast = false
    price.past.asked(offsets, -Infinity)
  }
}

/** Takes note that a request did not tell a price; whether there is another way that can be tried at once. */
function findOtherWay(price: Price, { operation }: SentRequest, error: unknown): boolean {
  const { status } = (error ?? { status: 404 }) as { readonly status?: number }
  const isForGood = status === 400 || status === 404
  // Else an outage would turn one request for many prices into one for each.
  if (!isForGood) return false
  price.way = operation === 'balances' ? 1 : 2
  if (operation === 'tokenBalance') price.leastWay = 2
  // It is not this way that is wrong: the service does not know the token.
  if (operation === 'tokenInfo') price.leastWay = price.way = 0
  return operation !== 'tokenInfo'
}

/** Whether the answer to a question may tell a price, as it did the last time or, before that, as it was asked. */
function mayTell(
  [, , operation, asked]: readonly unknown[],
  keys: ReadonlySet<string> | undefined,
  { key, chainId, address }: Price,
): boolean {
  if (keys) return keys.has(key)
  const { chainIds, ...of } = asked as Partial<TokenBalanceParameters & BalancesParameters>
  if (operation === 'balances')
    return !chainIds || chainIds.some((id) => id === chainId || typeof id === 'string')
  return String(operation) in priceOperations && address === (of.tokenAddress ?? of.address)
}

function untold({ key }: Price): HeadwaterError {
  return new HeadwaterError('The service answered, and told nothing of the token.', {
    details: key,
  })
}
