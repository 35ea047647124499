import type { BalancesParameters } from '@headwater/contract'
import type { PriceSource } from './PriceTick.ts'

/** A price to request. */
export interface PriceRequestItem {
  readonly key: string
  readonly chainId: number
  readonly address: string
  /** The cheapest source that may still return the price. */
  readonly nextSource: PriceSource
  /** Offsets in hours of past prices to request with it. */
  readonly missingOffsets: readonly number[]
}

/** A wallet with known prices in its balances. */
export interface PricedWallet {
  /** Parameters of the request. */
  readonly parameters: BalancesParameters
  /** Keys of the tokens in the response. */
  readonly keys: ReadonlySet<string>
}

/** A request with prices in its response. */
export interface PriceRequest<Item> {
  readonly operation: PriceSource
  readonly parameters: object
  readonly items: readonly Item[]
  /** Offsets in hours of the past prices it requests. */
  readonly offsets: readonly number[]
}

const maxOffsets = 3
/** The wallet of requests for a price alone: the service returns the price of a token for any wallet. */
export const zeroAddress = '0x0000000000000000000000000000000000000000'

/**
 * Plans the requests that return the prices for the fewest units: a chain of a wallet's balances costs 1 and returns all of
 * its prices there, a single balance costs 1 and returns one, token info costs 2. Each item is part of one request.
 *
 * @param items - Prices to request now.
 * @param polled - Prices that are due soon. A request that returns them too is preferred.
 * @param wallets - Wallets with a known first page of balances.
 * @param hasPastBalancePrices - Whether the service returns past prices of a single balance.
 */
export function planPriceRequests<Item extends PriceRequestItem>(
  items: readonly Item[],
  polled: readonly PriceRequestItem[],
  wallets: readonly PricedWallet[],
  hasPastBalancePrices: boolean,
): PriceRequest<Item>[] {
  const requests: PriceRequest<Item>[] = []
  const add = (operation: PriceSource, parameters: object, covered: readonly Item[]) => {
    const missing = new Set(covered.flatMap((item) => item.missingOffsets))
    const offsets = [...missing].slice(0, maxOffsets)
    requests.push({
      operation,
      parameters: offsets.length > 0 ? { ...parameters, historicalPrices: offsets } : parameters,
      items: covered,
      offsets,
    })
  }
  const candidates = new Set<PriceRequestItem>([...polled, ...items])
  const remaining = new Set(items)
  const byWallet = new Map<PricedWallet, Item[]>()

  for (const item of remaining) {
    const { chainId, address, missingOffsets, nextSource } = item
    const isCovered = ({ keys }: PricedWallet, other: PriceRequestItem) =>
      other.chainId === chainId && other.nextSource === 'balances' && keys.has(other.key)
    let best: PricedWallet | undefined
    // A wallet that covers one price costs as much as a single balance.
    let bestCount = 1
    for (const wallet of wallets) {
      if (!isCovered(wallet, item)) {
        continue
      }
      const count = [...candidates].filter((other) => isCovered(wallet, other)).length
      if (count > bestCount) {
        ;[best, bestCount] = [wallet, count]
      }
    }
    if (best) {
      const covered = byWallet.get(best) ?? []
      byWallet.set(best, covered)
      for (const other of remaining) {
        if (isCovered(best, other) && remaining.delete(other)) {
          covered.push(other)
        }
      }
      continue
    }
    remaining.delete(item)
    const chainIds = [chainId]
    if (nextSource !== 'tokenInfo' && (missingOffsets.length === 0 || hasPastBalancePrices)) {
      add('tokenBalance', { address: zeroAddress, tokenAddress: address, chainIds }, [item])
    } else {
      add('tokenInfo', { address, chainIds }, [item])
    }
  }
  for (const [{ parameters }, covered] of byWallet) {
    const chainIds = [...new Set(covered.map(({ chainId }) => chainId))]
    add('balances', { ...parameters, chainIds, historicalPrices: undefined }, covered)
  }
  return requests
}
