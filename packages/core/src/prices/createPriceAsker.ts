import type { BalancesParameters, TokenBalanceParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { BudgetError } from '../errors/BudgetError.ts'
import { destroyedMessage } from '../errors/createDestroyedError.ts'
import { HeadwaterError } from '../errors/HeadwaterError.ts'
import { retryAfterOf } from '../errors/retryAfterOf.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import { getOperation } from '../operation/getOperation.ts'
import { createLane } from './createLane.ts'
import { planPrices, type PricedWallet, type PriceRequest } from './planPrices.ts'
import type { Price } from './Price.ts'
import { priceOperations } from './priceOperations.ts'

/** How long prices wait for an answer under way that may tell them, in milliseconds. */
const longestWait = 3000
/** How many requests for prices are under way at once, and as many in the background. */
const mostAtOnce = 20

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
 * @param urgency - 0 when the price itself is known well enough, and only past ones are missing: these may wait; 1 for a
 *   poll, which the budget may hold back; 2 when somebody wants it.
 */
export type AskPrice = (price: Price, urgency?: number) => Promise<void>

/** Asks for prices: those wanted at one moment together, by the requests that cost the fewest units for all of them. */
export function createPriceAsker(client: Client, known: KnownPrices): AskPrice {
  /** What is to be planned. */
  const asked = new Set<Price>()
  const failed = new Set<Price>()
  let round: Promise<Map<Price, SentRequest>> | undefined
  let singlesTellPast = true
  const lanes = [createLane(mostAtOnce), createLane(mostAtOnce)] as const

  return (price, urgency = 2) => {
    const kind = urgency ? 'asking' : 'askingPast'
    // Whoever joins a poll makes it urgent.
    price.urgency &&= Math.max(price.urgency, urgency)
    return (price[kind] ??= learn(price, urgency)
      .catch((error: unknown) => {
        // Else what is missing would be asked for again at once.
        price.past.asked(price.missing)
        fail(price, error)
      })
      .finally(() => {
        price[kind] = undefined
        if (urgency) price.urgency = 0
        client.streams.poller.update(price)
      }))
  }

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

  async function learn(price: Price, urgency: number): Promise<void> {
    price.urgency ||= urgency
    while (urgency ? price.urgency : price.missing.length > 0) {
      const { told } = price
      asked.add(price)
      const sent = await (round ??= Promise.resolve().then(send))
      const request = sent.get(price)
      // Something else told it meanwhile.
      if (!request) price.cost = 0
      if (!request || (urgency && !price.urgency)) return
      const error = await request.ended
      if (price.told > told) succeed(price, request, error)
      else if (!findOtherWay(price, request, error)) {
        if (urgency && price.urgency) fail(price, error ?? untold(price))
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
    const wants = [...asked].filter(({ urgency, missing }) => urgency || missing.length > 0)
    asked.clear()
    const sent = new Map<Price, SentRequest>()
    for (const request of planPrices(wants, known.polled(), known.wallets(), singlesTellPast)) {
      const { operation, parameters, offsets } = request
      const { declaration } = priceOperations[operation]
      const cost = client.ledger.costOf(declaration, parameters)
      for (const price of request.wants) {
        price.past.asked(offsets)
        price.cost = cost / request.wants.length
      }
      const ended = fetch(request, cost)
      for (const price of request.wants) sent.set(price, { ...request, ended })
    }
    return sent
  }

  /** Resolves when the answers under way that may tell what was asked are there, or soon. */
  async function expected(): Promise<void> {
    const wanted = [...asked]
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

  async function fetch(
    { operation, parameters, wants, offsets }: PriceRequest<Price>,
    cost: number,
  ): Promise<unknown> {
    const asks = priceOperations[operation]
    const options = createQueryOptions(client, asks, parameters)
    const normalized = options.queryKey[3] as object
    const urgency = () => Math.max(...wants.map((price) => price.urgency))
    // Past prices alone wait for units of the budget.
    const background = !urgency()
    // What waits for units must not keep others waiting.
    const lane = lanes[background ? 1 : 0]
    return lane(async () => {
      // What the poller let through was not planned then, nor charged: many prices, each of which fits.
      const wait = urgency() === 1 ? client.ledger.holdFor(cost) : 0
      if (wait > 0) {
        const error = new BudgetError(cost, wait)
        const held = { status: 'error', error, errorUpdatedAt: Date.now() } as const
        for (const price of wants) {
          price.past.asked(offsets, -Infinity)
          if (price.urgency) price.held = held
          price.urgency = 0
        }
        return error
      }
      const ask = () =>
        client.queryClient
          .fetchQuery({
            ...options,
            queryFn: ({ signal }) => getOperation(client, asks, normalized, { signal, background }),
            staleTime: 0,
            // What was kept of an earlier visit is no answer.
            ...({ persister: undefined } as object),
            // The poller waits for as long as the service asks, and meanwhile everybody sees why.
            retry: (count: number, error: Error) =>
              retryAfterOf(error) === 0 && options.retry(count, error),
          })
          .then(
            () => undefined,
            (error: Error) => error,
          )
      const error = await ask()
      // Another client on the same cache had asked: of one that was destroyed itself nobody watches anything.
      return error?.message === destroyedMessage && wants.some(({ watchers }) => watchers.size > 0)
        ? ask()
        : error
    })
  }

  function succeed(price: Price, { operation, offsets }: SentRequest, error: unknown): void {
    price.way = price.leastWay
    if (error || operation !== 'tokenBalance' || offsets.length === 0) return
    if (offsets.some((offset) => price.past.find(offset))) return
    // The specification does not say that it does.
    singlesTellPast = false
    price.past.asked(offsets, -Infinity)
    known.tell([price])
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
