import type { BalancesParameters, Warning } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import { findNodeWallet, type NodeWallet, readAhead } from '../fromNode/findNodeWallet.ts'
import type { HandlerContext } from '../Handler.ts'
import { type ChainToken, nativeToken } from '../pricedTokens/ChainToken.ts'
import { type PricedToken, priceToken } from '../pricedTokens/priceToken.ts'
import { isSpam } from './BalanceEntry.ts'
import type { FoundBalances } from './StoreBalances.ts'

/** What the nodes of a request's chains return. */
export interface NodeBalances extends FoundBalances {
  /** The chains without prices, by id: their tokens are not spam for the lack of one. */
  readonly unpricedChains: ReadonlySet<number>
  /** False if a node returned no amount of a token, so that a retry at the same heads may return more. */
  readonly isComplete: boolean
}

/**
 * Finds what a wallet may hold on the chains that are not indexed, or not completely, at the heads of their nodes. The
 * amounts are read like those of other tokens that are read from the chain.
 *
 * @param chains - those of the request that nodes serve.
 */
export async function loadNodeBalances(
  wallet: string,
  chains: readonly ChainConfig[],
  { filters, excludeSpamTokens, historicalPrices, metadata }: BalancesParameters,
  { nodeChains, chainReader, keyId }: Pick<HandlerContext, 'nodeChains' | 'chainReader' | 'keyId'>,
): Promise<NodeBalances> {
  const { requested, results: wallets } = await nodeChains.load(
    chains,
    async (node, chain, head) => {
      const context = { node, chainReader, keyId }
      const find = async (): Promise<NodeWallet> => {
        const [found] = await Promise.all([
          findNodeWallet(wallet, { chain, head }, context),
          readAhead(wallet, { chain, head }, context),
        ])
        return found
      }
      const found = filters === 'native' ? { ...nothing, native: nativeToken(chain) } : await find()
      const book = await node.loadPrices(found.priced, head, historicalPrices)
      const price = (token: ChainToken) => priceToken(token, book?.now ?? new Map())
      const warnings = [...found.warnings, ...(book ? [] : [describeUnpriced(chain)])]
      return {
        ...found,
        chain,
        book,
        warnings,
        native: price(found.native),
        tokens: found.tokens.map(price),
      }
    },
  )
  const unpricedChains = new Set(wallets.flatMap(({ chain, book }) => (book ? [] : [chain.id])))
  const books = new Map(
    wallets.flatMap(({ chain, book }) => (book ? [[chain.id, book] as const] : [])),
  )
  const isRead = (priced: PricedToken) =>
    !(excludeSpamTokens && isSpam(priced) && !unpricedChains.has(priced.token.chain.id))
  const findWallet = ({ token }: PricedToken) =>
    wallets.find(({ chain }) => chain.id === token.chain.id)
  const skipped = wallets.filter((found) => found.skipped > 0)
  return {
    requested,
    fromLedger: [],
    natives: filters === 'erc20' ? [] : wallets.map(({ native }) => native),
    reads: {
      tokens: wallets.flatMap(({ tokens }) => tokens.filter(isRead)),
      isHeld: (priced) => findWallet(priced)?.isDiscovered(priced.token.address) ?? false,
      errors: [],
      skipped: new Map(skipped.map((found) => [found.chain.id, found.skipped])),
    },
    skipped: [],
    pastBooks: historicalPrices && books,
    books,
    findAuditedBlock: metadata?.includes('audit')
      ? ({ chain }) => requested.heads.get(chain.id)?.number
      : undefined,
    warnings: wallets.flatMap(({ warnings }) => warnings),
    unpricedChains,
    isComplete: wallets.every((found) => found.isComplete),
  }
}

function describeUnpriced({ id, name }: ChainConfig): Warning {
  return {
    code: 'PRICES_NOT_READ',
    message: `No node of chain ${id} (${name}) returned the states of pools in time, so that prices are missing`,
    chain_id: id,
  }
}

const nothing = {
  tokens: [],
  priced: [],
  isDiscovered: () => false,
  skipped: 0,
  isComplete: true,
  warnings: [],
} satisfies Partial<NodeWallet>
