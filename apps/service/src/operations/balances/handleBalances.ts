import { balances, type BalancesParameters, type BalancesResponse } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainDependencies } from '../../store/ChangeIndex.ts'
import { compareAmounts } from '../Dependencies.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { type ChainHeads, combineHeads, findHeads } from '../loadHeads.ts'
import { selectPage } from '../paging/selectPage.ts'
import { describePrices } from '../pricedTokens/describePrices.ts'
import { nodesUnavailable } from '../pricedTokens/fetchHoldings.ts'
import { findPriceDependencies } from '../pricedTokens/loadTokenPrices.ts'
import { toBalance } from '../pricedTokens/toBalance.ts'
import { type BalanceEntry, compareKeys, isSpam, type SortKey, toEntry } from './BalanceEntry.ts'
import { fetchChainBalances } from './fetchChainBalances.ts'
import { loadNodeBalances } from './loadNodeBalances.ts'
import { type BalancesRequest, loadStoreBalances } from './loadStoreBalances.ts'
import { loadWallets } from './loadWallets.ts'
import { combineStores, type StoreBalances } from './StoreBalances.ts'

/**
 * Handles `balances` at the head block of each chain: ERC20 amounts from the ledger; native amounts, and those of tokens
 * with a ledger that differs from the chain, from the nodes. Any wallet may hold one of the latter without a log. On a
 * chain that is not indexed, or not completely, all are read from the nodes.
 *
 * @throws {ApiError} 503 when no chain is available, or when only native assets are requested and no node returns any.
 */
export async function handleBalances(
  parameters: BalancesParameters,
  context: HandlerContext,
): Promise<OperationResult<BalancesResponse>> {
  const { receivedAt, links, turns, keyId } = context
  const { filters, excludeSpamTokens = false, historicalPrices, metadata } = parameters
  const wallet = parameters.address.toLowerCase()
  // Also while one of them is unavailable, so that paging continues.
  const chainIds = context.chains.map(({ id }) => id)
  const page = selectPage<SortKey>(
    balances,
    [wallet, chainIds, filters, excludeSpamTokens],
    parameters,
    context.cursors,
  )
  const { limit, after } = page
  const isListed = ({ holding }: BalanceEntry) => !(excludeSpamTokens && isSpam(holding))

  const request = { parameters, wallet, after, limit, isListed }
  const { results: stored, unreachable } = await loadStored(request, context)
  const nodeBacked = stored.flatMap((result) => result.requested.nodeBacked)
  const fromNodes = await loadNodeBalances(wallet, nodeBacked, parameters, context)
  const results = [...stored, fromNodes]
  const requested = combineHeads(
    context.chains,
    results.map((result) => result.requested),
    unreachable,
  )
  const { fromLedger, ...sources } = combineStores(results)
  const { natives, books, pastBooks, findAuditedBlock } = sources
  const read = await fetchChainBalances(wallet, { ...sources, heads: requested.heads }, context)
  if (filters === 'native' && natives.length > 0 && read.errors.length === natives.length) {
    throw nodesUnavailable()
  }

  // They may displace balances from the ledger, so that `limit + 1` of the latter are always enough.
  const isUnpriced = ({ holding }: BalanceEntry) =>
    fromNodes.unpricedChains.has(holding.token.chain.id)
  const fromChain = read.holdings
    .map(toEntry)
    .filter(
      (entry) =>
        (isListed(entry) || isUnpriced(entry)) && (!after || compareKeys(entry.key, after) > 0),
    )
  const { entries, nextOffset } = page.finish(
    [...fromLedger, ...fromChain].sort((a, b) => compareKeys(a.key, b.key)),
    ({ key }) => key,
  )

  const extras = { historicalPrices, metadata, books, pastBooks, findAuditedBlock, links }
  const warnings = [...sources.warnings, ...describePrices(books), ...read.warnings]
  const listed = await turns.run(keyId, entries.length, () =>
    entries.map(({ holding }) => toBalance(holding, extras)),
  )
  // The audit compares amounts also while there is no new block.
  const isAuditPending =
    findAuditedBlock !== undefined &&
    entries.some(({ holding }) => findAuditedBlock(holding.token) === undefined)
  // Past prices, audits and nodes name no changes.
  const hasDependencies =
    !historicalPrices && !findAuditedBlock && fromNodes.requested.chains.length === 0
  return {
    body: {
      wallet_address: wallet,
      balances: listed,
      ...(read.errors.length > 0 && {
        errors: { error_message: 'Some balances could not be read', token_errors: read.errors },
      }),
      ...(warnings.length > 0 && { warnings }),
      ...(nextOffset !== undefined && { next_offset: nextOffset }),
      request_time: receivedAt.toISOString(),
      response_time: new Date().toISOString(),
    },
    requested,
    isComplete: read.isComplete && fromNodes.isComplete && !isAuditPending,
    dependencies: hasDependencies
      ? {
          chains: getDependencies(requested, filters === 'native' ? [] : [wallet], stored, books),
          isSameAt: compareAmounts(context.chainReader, wallet, read.amounts),
          isVolatile: metadata !== undefined || stored.some(({ isVolatile }) => isVolatile),
        }
      : undefined,
  }
}

interface StoredBalances {
  readonly results: readonly StoreBalances[]
  readonly unreachable: readonly ChainConfig[]
}

/** Loads what the stores have, by reading as little as possible. */
async function loadStored(
  request: BalancesRequest,
  context: HandlerContext,
): Promise<StoredBalances> {
  return (
    (await readMemory(request, context)) ??
    (await readInBatch(request, context)) ??
    (await context.readStores(async (snapshot, chains) => {
      const requested = await findHeads(snapshot, chains, context)
      return await loadStoreBalances(request, requested, context, { snapshot })
    }))
  )
}

/**
 * Computes a response from what is known at the published heads. Most of it is known of a block that is being published as soon
 * as that is done.
 *
 * @returns undefined if the store must be read.
 */
async function readMemory(
  request: BalancesRequest,
  context: HandlerContext,
): Promise<StoredBalances | undefined> {
  const { chains, nodeChains, getKnownHeads, waitForHeads } = context
  const read = async () => {
    const isHandingOver = chains.some(({ id }) => nodeChains.getServedBlock(id) !== undefined)
    const known = isHandingOver ? undefined : getKnownHeads()
    const result = known && (await loadStoreBalances(request, known, context))
    return result && { results: [result], unreachable: [] }
  }
  return (await read()) ?? ((await waitForHeads()) ? await read() : undefined)
}

/**
 * Reads a wallet together with others that are requested at the same time.
 *
 * @returns undefined if the request needs more than their rows and prices.
 */
async function readInBatch(
  request: BalancesRequest,
  context: HandlerContext,
): Promise<StoredBalances | undefined> {
  const { parameters, wallet } = request
  const { filters, historicalPrices, metadata } = parameters
  if (filters === 'native' || historicalPrices || metadata?.includes('audit')) {
    return undefined
  }
  // The statements of one wallet take about as long as those of ten.
  const { results, unreachable } = await context.readTogether(
    wallet,
    async (snapshot, chains, wallets) => {
      const requested = await findHeads(snapshot, chains, context)
      return await loadWallets(snapshot, requested, wallets, context)
    },
  )
  const loaded = await Promise.all(
    results.map((stored) => loadStoreBalances(request, stored.requested, context, { stored })),
  )
  const complete = loaded.filter((each) => each !== undefined)
  return complete.length === loaded.length ? { results: complete, unreachable } : undefined
}

/** The rows and prices of a response, by chain id. */
function getDependencies(
  { chains }: ChainHeads,
  holders: readonly string[],
  stored: readonly StoreBalances[],
  books: StoreBalances['books'],
): Map<number, ChainDependencies> {
  return new Map(
    chains.map(({ id }) => {
      const read = stored.flatMap(({ reads }) =>
        reads.tokens.flatMap(({ token }) => (token.chain.id === id ? token.address : [])),
      )
      const prices = stored.flatMap(({ dependencies }) => dependencies.get(id) ?? [])
      if (read.length > 0) {
        prices.push(findPriceDependencies(read, books.get(id)))
      }
      return [id, { holders, prices }]
    }),
  )
}
