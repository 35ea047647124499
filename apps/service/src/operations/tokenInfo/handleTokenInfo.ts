import type { Kysely } from 'kysely'
import type {
  HistoricalPrice,
  Token,
  TokenInfoParameters,
  TokenInfoResponse,
  TokenMetadata,
} from '@headwater/contract'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { describeSpam } from '../../spam/describeSpam.ts'
import { findShareToken, loadLargestProvider } from '../../spam/loadLargestProvider.ts'
import type { Database } from '../../store/Database.ts'
import { loadNodeToken } from '../fromNode/loadNodeToken.ts'
import { getSingleChain } from '../getSingleChain.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { getOnlyHead } from '../loadHeads.ts'
import { describePrices } from '../pricedTokens/describePrices.ts'
import {
  getTokenDependencies,
  loadPricedToken,
  type TokenRequest,
} from '../pricedTokens/loadPricedToken.ts'
import { historicalPrices, type PricedToken, valueHolding } from '../pricedTokens/priceToken.ts'
import { toMetadata } from '../pricedTokens/toMetadata.ts'

/**
 * Handles `tokenInfo` at the chain's head block: metadata and price from the store, or from the
 * nodes where the chain is not indexed, and the supply from the nodes. The listing has one entry, so that `next_offset` is
 * never present and `offset` has no effect.
 *
 * @throws {ApiError} 404 for an address without an ERC20 token; 503 until the chain's initial indexing is complete, or
 *   when no node responds where nodes replace it.
 */
export async function handleTokenInfo(
  parameters: TokenInfoParameters,
  context: HandlerContext,
): Promise<OperationResult<TokenInfoResponse>> {
  const { readStore, chainReader, links } = context
  const chain = getSingleChain(context)
  const address = parameters.address.toLowerCase()
  const { historicalPrices: hours, metadata } = parameters
  const isListed = parameters.limit !== 0
  const isSpamRequested = metadata?.includes('spam') ?? false

  const request = { chain, address, param: 'address', hours, metadata }
  const loaded = await readStore((snapshot) => loadStoredToken(snapshot, request, context))
  const isIndexed = 'priced' in loaded
  const { requested, priced, books, findAuditedBlock, shares } = isIndexed
    ? loaded
    : // Audits and the holders of shares are unknown.
      {
        ...(await loadNodeToken(loaded, request, context)),
        findAuditedBlock: undefined,
        shares: undefined,
      }
  const { token } = priced
  const readSupply = async (contract: string, head: BlockRef) =>
    await chainReader.totalSupply(chain.id, contract, head)
  const head = getOnlyHead(requested)
  const hasSupply = isListed && token.address !== 'native'
  const supply = hasSupply ? await readSupply(token.address, head) : undefined
  const totalShares = shares && (await readSupply(shares.token, head))
  const spam = isSpamRequested && {
    spam_signals: await describeSpam(
      token,
      shares && typeof totalShares === 'bigint' && totalShares > 0n
        ? { largest: shares.provider, total: totalShares }
        : undefined,
      links,
    ),
  }
  const entry = toToken(priced, {
    logo: links.logo(chain.id, token.address),
    totalSupply: supply === 'unreadable' ? undefined : supply,
    historicalPrices: hours && historicalPrices(token, hours, books.get(chain.id)),
    metadata: metadata && {
      ...toMetadata(priced, metadata, { books, findAuditedBlock, links }),
      ...spam,
    },
  })
  const warnings = describePrices(books)
  // Changes of values from nodes, past prices, audits and spam signals are not recorded.
  const hasDependencies = isIndexed && !hours && !findAuditedBlock && !isSpamRequested
  return {
    body: {
      contract_address: address,
      tokens: isListed ? [entry] : [],
      ...(warnings.length > 0 && { warnings }),
    },
    requested,
    // The audit compares amounts also while there is no new block.
    isComplete:
      (!hasSupply || supply !== undefined) &&
      (!findAuditedBlock || findAuditedBlock(token) !== undefined) &&
      (!shares || totalShares !== undefined),
    dependencies: hasDependencies
      ? {
          chains: new Map([[chain.id, getTokenDependencies(token, books.get(chain.id))]]),
          ...(hasSupply && {
            isSameAt: async (heads) => {
              const later = heads.get(chain.id)
              return (
                supply !== undefined &&
                later !== undefined &&
                (await readSupply(token.address, later)) === supply
              )
            },
          }),
          // Token lists have the logos.
          isVolatile: true,
        }
      : undefined,
  }
}

/**
 * Loads a token from the store and, for spam signals, the largest provider of the pool that prices it.
 *
 * @returns the chain alone where nodes replace its index.
 */
async function loadStoredToken(
  snapshot: Kysely<Database>,
  request: TokenRequest,
  context: HandlerContext,
) {
  const stored = await loadPricedToken(snapshot, request, context)
  if (!('priced' in stored)) {
    return stored
  }
  const isSpamRequested = request.metadata?.includes('spam') ?? false
  const [leg] = isSpamRequested ? (stored.priced.price?.route.legs ?? []) : []
  const shareToken = leg && findShareToken(leg.type, leg.address)
  const provider = shareToken && (await loadLargestProvider(snapshot, request.chain.id, shareToken))
  return {
    ...stored,
    shares: shareToken && provider ? { token: shareToken, provider } : undefined,
  }
}

/** Converts a token to an entry of the response. Unknown values are omitted; a native asset has no pool size. */
function toToken(
  priced: PricedToken,
  {
    logo,
    totalSupply,
    historicalPrices,
    metadata,
  }: {
    readonly logo: string | undefined
    /** In smallest units; undefined for a native asset, and if it could not be read. */
    readonly totalSupply: bigint | undefined
    readonly historicalPrices: HistoricalPrice[] | undefined
    readonly metadata: TokenMetadata | undefined
  },
): Token {
  const { token, price } = priced
  const { chain, address, symbol, name, decimals } = token
  const fullyDiluted = totalSupply === undefined ? undefined : valueHolding(priced, totalSupply)
  return {
    chain_id: chain.id,
    chain: chain.name,
    ...(price && { price_usd: price.usd }),
    ...(symbol !== undefined && { symbol }),
    ...(name !== undefined && { name }),
    ...(decimals !== undefined && { decimals }),
    ...(logo !== undefined && { logo }),
    ...(address !== 'native' && price?.poolSize !== undefined && { pool_size: price.poolSize }),
    ...(totalSupply !== undefined && { total_supply: String(totalSupply) }),
    ...(fullyDiluted?.value !== undefined && { fully_diluted_value: fullyDiluted.value }),
    ...(historicalPrices && { historical_prices: historicalPrices }),
    ...(metadata && { token_metadata: metadata }),
  }
}
