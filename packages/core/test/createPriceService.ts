import type { Balance, HistoricalPrice } from '../src/index.ts'
import { json } from './createFakeService.ts'

/** A request to the price service. */
export interface PriceRequest {
  readonly operation: 'balances' | 'tokenBalance' | 'tokenInfo'
  readonly address: string
  readonly chainIds: readonly number[]
  readonly tokens: readonly string[]
  readonly offsets: readonly number[]
  readonly units: number
}

/**
 * A service with prices and wallets that implements the three operations with prices and counts the units it charges.
 * For fake time; `respond` also serves it over HTTP.
 */
export function createPriceService() {
  const requests: PriceRequest[] = []
  /** By `chainId/address`; undefined for a token without a price. */
  const prices = new Map<string, number | undefined>()
  /** The tokens of each wallet, as `chainId/address`. */
  const wallets = new Map<string, Set<string>>()
  const service = {
    requests,
    prices,
    wallets,
    get units() {
      return requests.reduce((sum, { units }) => sum + units, 0)
    },
    /** Milliseconds by which its clock is ahead. */
    clockAhead: 0,
    /** Milliseconds that a response takes. */
    delay: (() => 0) as (request: PriceRequest) => number,
    /** Returns a response that replaces the regular one. */
    override: (() => undefined) as (request: PriceRequest) => Response | undefined,
    /** Modifies or removes a row of a response. */
    row: (row: Record<string, unknown>): Record<string, unknown> | undefined => row,
    /** The price of a token some hours ago. */
    past: (key: string, hours: number): number | null => (prices.get(key) ?? 0) / (1 + hours / 100),
    respond,
    fetch: (async (url, { signal }: { signal: AbortSignal }) => {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      return Promise.race([respond(new URL(String(url))), aborted])
    }) as typeof globalThis.fetch,
  }

  async function respond(url: URL): Promise<Response> {
    const request = read(url)
    requests.push(request)
    const delay = service.delay(request)
    // The body is computed on arrival, so a delayed response contains old data.
    const body = JSON.stringify(createBody(request))
    if (delay > 0) {
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
    return (
      service.override(request) ??
      json(JSON.parse(body), { headers: { 'x-compute-units-cost': String(request.units) } })
    )
  }

  function read({ pathname, searchParams }: URL): PriceRequest {
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

  function createBody({ operation, address, tokens, offsets }: PriceRequest): object {
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
