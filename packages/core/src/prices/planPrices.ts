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

const mostOffsets = 3
/** Whose balance is asked for when only the price matters: every token answers, whoever holds it. */
export const nobody = `0x${'0'.repeat(40)}`

/**
 * Which requests tell the wanted prices for the fewest units: a chain of a wallet's balances costs 1 and tells all that
 * the wallet holds there, a single balance costs 1 and tells one, token info costs 2. Every want is in one request.
 *
 * @param wants - What is wanted now.
 * @param watched - What will be wanted soon: telling it too is worth something.
 * @param wallets - What is known of wallets.
 * @param singlesTellPast - Whether the service tells past prices of a single balance.
 */
export function planPrices<Want extends PriceWant>(
  wants: readonly Want[],
  watched: readonly PriceWant[],
  wallets: readonly PricedWallet[],
  singlesTellPast: boolean,
): PriceRequest<Want>[] {
  const requests: PriceRequest<Want>[] = []
  const add = (operation: PriceSource, parameters: object, told: readonly Want[]) => {
    const missing = new Set(told.flatMap((want) => want.missing))
    const offsets = [...missing].slice(0, mostOffsets)
    const asked = offsets.length > 0 ? { ...parameters, historicalPrices: offsets } : parameters
    requests.push({ operation, parameters: asked, wants: told, offsets })
  }
  const crowd = new Set<PriceWant>([...watched, ...wants])
  const left = new Set(wants)
  const byWallet = new Map<PricedWallet, Want[]>()

  for (const want of left) {
    const { chainId, address, missing, way } = want
    let best: PricedWallet | undefined
    let most = 1
    const tells = ({ keys }: PricedWallet, other: PriceWant) =>
      other.chainId === chainId && other.way === 0 && keys.has(other.key)
    for (const wallet of wallets) {
      if (!tells(wallet, want)) continue
      const count = [...crowd].filter((other) => tells(wallet, other)).length
      if (count > most) [best, most] = [wallet, count]
    }
    if (best) {
      const told = byWallet.get(best) ?? []
      byWallet.set(best, told)
      for (const other of left) {
        if (tells(best, other) && left.delete(other)) told.push(other)
      }
    } else {
      left.delete(want)
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
}
