import type { ChainConfig } from '../../config/Config.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import { entriesPerTurn } from '../../queues/Turns.ts'
import type { TokenHashes } from '../../store/ChangeIndex.ts'
import { toChunks } from '../../toChunks.ts'
import { type ChainToken, nativeToken } from '../pricedTokens/ChainToken.ts'
import { addPriceDependencies, findPriceDependencies } from '../pricedTokens/loadTokenPrices.ts'
import { type PricedToken, priceToken } from '../pricedTokens/priceToken.ts'
import { type BalanceEntry, compareKeys, toEntry } from './BalanceEntry.ts'
import type { LedgerHolding } from './LedgerHolding.ts'

/** The priced part of a wallet at some heads. Its size is bounded, however many tokens are sent to the wallet. */
export interface PricedWallet {
  /** Priced ERC20 balances from the ledger, in the order of the listing: all that precede the unpriced ones. */
  readonly entries: readonly BalanceEntry[]
  /** Whether a token is among the entries. */
  readonly has: (chainId: number, address: string) => boolean
  readonly natives: readonly PricedToken[]
  /** The tokens with balances that are read from the chain. */
  readonly chainTokens: readonly PricedToken[]
  /** The `chainTokens` that the wallet is known to hold, or to have held. */
  readonly held: readonly PricedToken[]
  /** By chain id; not of chains that are not requested. */
  readonly books: ReadonlyMap<number, PriceBook>
  /** What the prices of the holdings and of the native assets depend on, by chain id. */
  readonly dependencies: ReadonlyMap<number, TokenHashes>
  /** Number of tokens and assets. */
  readonly weight: number
}

/**
 * Prices and sorts the balances of a wallet.
 *
 * @param run - runs a part, given the number of its entries.
 */
export async function priceWallet({
  chains,
  holdings,
  chainTokens,
  held,
  books,
  run,
}: {
  readonly chains: readonly ChainConfig[]
  /** Holdings of tokens that may have a price. */
  readonly holdings: readonly LedgerHolding[]
  readonly chainTokens: readonly ChainToken[]
  readonly held: readonly ChainToken[]
  readonly books: ReadonlyMap<number, PriceBook>
  readonly run: <Result>(entries: number, part: () => Result) => Promise<Result>
}): Promise<PricedWallet> {
  const price = (token: ChainToken) =>
    priceToken(token, books.get(token.chain.id)?.now ?? new Map())
  const entries: BalanceEntry[] = []
  const dependencies = new Map(
    chains.map(({ id, wrappedNative }) => [
      id,
      findPriceDependencies(wrappedNative ? [wrappedNative] : [], books.get(id)),
    ]),
  )
  for (const some of toChunks(holdings, entriesPerTurn)) {
    await run(some.length, () => {
      for (const holding of some) {
        const { chain, address } = holding.token
        const route = books.get(chain.id)?.now.get(address)
        addPriceDependencies(dependencies.get(chain.id), address, route)
        const valued = holding.valueBy(route)
        if (valued.value !== undefined) {
          entries.push(toEntry(valued))
        }
      }
    })
  }
  await run(entries.length, () => entries.sort((a, b) => compareKeys(a.key, b.key)))
  // Most wallets have no unpriced tokens.
  let keys: ReadonlySet<string> | undefined
  const natives = chains.map(nativeToken).map(price)
  return {
    entries,
    has(chainId, address) {
      keys ??= new Set(entries.map(({ key }) => `${key[1]}/${key[2]}`))
      return keys.has(`${chainId}/${address}`)
    },
    natives,
    chainTokens: chainTokens.map(price),
    held: held.map(price),
    books,
    dependencies,
    weight: entries.length + natives.length + chainTokens.length + held.length,
  }
}
