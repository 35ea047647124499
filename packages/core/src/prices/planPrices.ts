import type { BalancesParameters } from '@headwater/contract'
import type { PriceSource } from './PriceTick.ts'

/** A price that is to be asked for. */
export interface PriceWant {
  readonly key: string
  readonly chainId: number
  readonly address: string
  /** Which ways to ask are left: 0 all, 1 all but wallets, 2 only token info. */
  readonly way: number
  /** The hours in the past whose prices are wanted too. */
  readonly missing: readonly number[]
}

/** A wallet whose balances tell the prices of some tokens. */
export interface PricedWallet {
  /** The question that was answered. */
  readonly parameters: BalancesParameters
  /** The tokens of the answer. */
  readonly keys: ReadonlySet<string>
}

/** A request that tells prices. */
export interface PriceRequest<Want> {
  readonly operation: PriceSource
  readonly parameters: object
  readonly wants: readonly Want[]
  /** The hours in the past that it asks for. */
  readonly offsets: readonly number[]
}

/** What else a plan may know. */
export interface PlanContext {
  readonly wallets: readonly PricedWallet[]
  /** Keys of prices that are wanted soon, so that telling them too is worth something. */
  readonly welcome: readonly string[]
  /** Whether the service tells past prices of a single balance. */
  readonly singlesTellPast: boolean
}

const mostOffsets = 3
/** Whose balance is asked for when only the price matters: every token answers, whoever holds it. */
const nobody = `0x${'0'.repeat(40)}`

/**
 * Which requests tell the wanted prices for the fewest units: a chain of a wallet's balances costs 1 and tells all that
 * the wallet holds there, a single balance costs 1 and tells one, token info costs 2. Every want is in one request.
 */
export function planPrices<Want extends PriceWant>(
  wants: readonly Want[],
  { wallets, welcome, singlesTellPast }: PlanContext,
): PriceRequest<Want>[] {
  const requests: PriceRequest<Want>[] = []
  const byWallet = new Map<PricedWallet, Want[]>()
  const byChain = new Map<number, Set<Want>>()
  for (const want of wants) {
    const left = byChain.get(want.chainId)
    if (left) left.add(want)
    else byChain.set(want.chainId, new Set([want]))
  }

  for (const [chainId, left] of byChain) {
    // The wallet that tells the most, again and again: each costs what a single balance does.
    for (;;) {
      let best: PricedWallet | undefined
      let told: Want[] = []
      let most = 1
      for (const wallet of wallets) {
        const wanted = [...left].filter(({ key, way }) => way === 0 && wallet.keys.has(key))
        if (wanted.length === 0) continue
        const others = welcome.filter(
          (key) => key.startsWith(`${chainId}/`) && wallet.keys.has(key),
        ).length
        // What is wanted now counts more than any number of what is wanted soon.
        const worth = wanted.length + (others && others / (others + 1))
        if (worth > most) [best, told, most] = [wallet, wanted, worth]
      }
      if (!best) break
      for (const want of told) left.delete(want)
      byWallet.set(best, [...(byWallet.get(best) ?? []), ...told])
    }
    for (const want of left) {
      const { address, missing, way } = want
      const chainIds = [chainId]
      if (way < 2 && (missing.length === 0 || singlesTellPast)) {
        add('tokenBalance', { address: nobody, tokenAddress: address, chainIds }, [want])
      } else add('tokenInfo', { address, chainIds }, [want])
    }
  }
  for (const [{ parameters }, told] of byWallet) {
    const chainIds = [...new Set(told.map(({ chainId }) => chainId))]
    add('balances', { ...parameters, chainIds, historicalPrices: undefined }, told)
  }
  return requests

  function add(operation: PriceSource, parameters: object, told: Want[]) {
    const offsets = commonest(told)
    requests.push({
      operation,
      parameters: { ...parameters, ...(offsets.length > 0 && { historicalPrices: offsets }) },
      wants: told,
      offsets,
    })
  }
}

/** The offsets that most of the wants miss, as many as a request may ask for. */
function commonest(wants: readonly PriceWant[]): number[] {
  const counts = new Map<number, number>()
  for (const { missing } of wants)
    for (const offset of missing) counts.set(offset, (counts.get(offset) ?? 0) + 1)
  return [...counts.keys()]
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)
    .slice(0, mostOffsets)
}
