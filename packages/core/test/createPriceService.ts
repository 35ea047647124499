import type { Balance, HistoricalPrice } from '../src/index.ts'
import { json } from './createFakeService.ts'

/** What was asked of the price service. */
export interface AskedPrice {
  readonly operation: 'balances' | 'tokenBalance' | 'tokenInfo'
  readonly address: string
  readonly chainIds: readonly number[]
  readonly tokens: readonly string[]
  readonly offsets: readonly number[]
  readonly units: number
}

/**
 * A service that knows prices and wallets, answers the three operations that tell prices, and counts the units that it
 * charges. Works in virtual time; `answer` serves it over HTTP too.
 */
export function createPriceService() {
  const asked: AskedPrice[] = []
  /** By `chainId/address`; undefined for a token that nothing prices. */
  const prices = new Map<string, number | undefined>()
  /** By wallet, what it holds as `chainId/address`. */
  const wallets = new Map<string, Set<string>>()
  const service = {
    asked,
    prices,
    wallets,
    get units() {
      return asked.reduce((sum, { units }) => sum + units, 0)
    },
    /** By how much its clock is ahead, in milliseconds. */
    clockAhead: 0,
    /** Milliseconds that an answer takes, told what was asked. */
    delay: (() => 0) as (asked: AskedPrice) => number,
    /** A refusal, or any other answer in the place of the right one. */
    instead: (() => undefined) as (asked: AskedPrice) => Response | undefined,
    /** What it says of a token, from what it would say. */
    row: (row: Record<string, unknown>): Record<string, unknown> | undefined => row,
    /** Price of a token some hours ago. */
    past: (key: string, hours: number): number | null => (prices.get(key) ?? 0) / (1 + hours / 100),
    answer,
    fetch: (async (url, { signal }: { signal: AbortSignal }) => {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      return Promise.race([answer(new URL(String(url))), aborted])
    }) as typeof globalThis.fetch,
  }

  async function answer(url: URL): Promise<Response> {
    const question = read(url)
    asked.push(question)
    const wait = service.delay(question)
    // As at the moment of asking: an answer that takes long is one of long ago.
    const body = JSON.stringify(answerOf(question))
    if (wait > 0) {
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
    return (
      service.instead(question) ??
      json(JSON.parse(body), { headers: { 'x-compute-units-cost': String(question.units) } })
    )
  }

  function read({ pathname, searchParams }: URL): AskedPrice {
    const list = (name: string) =>
      (searchParams.get(name) ?? '').split(',').filter(Boolean).map(Number)
    const chainIds = list('chain_ids')
    const offsets = list('historical_prices')
    const [, kind, address = '', , token] =
      /v1\/evm\/(token-info|balances)\/(\w+)(\/token\/(\w+))?/.exec(pathname) ?? []
    const common = { address, chainIds, offsets }
    if (kind === 'token-info') {
      return { ...common, operation: 'tokenInfo', tokens: [`${chainIds[0]}/${address}`], units: 2 }
    }
    if (token) {
      return { ...common, operation: 'tokenBalance', tokens: [`${chainIds[0]}/${token}`], units: 1 }
    }
    const tokens = [...(wallets.get(address) ?? [])].filter((key) =>
      chainIds.includes(parseInt(key)),
    )
    return { ...common, operation: 'balances', tokens, units: chainIds.length }
  }

  function answerOf({ operation, address, tokens, offsets }: AskedPrice): object {
    const rows = tokens.flatMap((key) => {
      const price = prices.get(key)
      const [chainId, token] = key.split('/')
      const row: Balance = {
        chain_id: Number(chainId),
        address: token ?? '',
        amount: operation === 'balances' ? '1' : '0',
        ...(price !== undefined && { price_usd: price, pool_size: 1e6 }),
        ...(offsets.length > 0 && {
          historical_prices: offsets.map((hours): HistoricalPrice => ({
            offset_hours: hours,
            price_usd: service.past(key, hours),
          })),
        }),
      }
      return service.row({ ...row }) ?? []
    })
    if (operation === 'tokenInfo') {
      return { contract_address: address, tokens: rows }
    }
    const time = new Date(Date.now() + service.clockAhead).toISOString()
    return { wallet_address: address, balances: rows, response_time: time }
  }

  return service
}
