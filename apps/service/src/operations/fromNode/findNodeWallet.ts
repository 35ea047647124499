import type { Warning } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import type { Head } from '../../store/Head.ts'
import type { ChainReader } from '../ChainReader.ts'
import { type ChainToken, nativeToken } from '../pricedTokens/ChainToken.ts'
import { describePartialHistory } from './describePartialHistory.ts'
import type { NodeChain } from './NodeChain.ts'
import { orderCandidates } from './orderCandidates.ts'

/** Most tokens of a wallet that a response reads: any number can be sent to it. */
const maxTokens = 2_000

/** Most tokens that are priced, in the order of {@link orderCandidates}: each is searched for with every quote token. */
const maxPriced = 500

/** What a wallet may hold on a chain that is not indexed. */
export interface NodeWallet {
  readonly native: ChainToken
  /** With metadata, as far as the wallet holds them. */
  readonly tokens: readonly ChainToken[]
  /** The held tokens whose metadata was read, up to a limit. */
  readonly priced: readonly ChainToken[]
  /** Whether a transfer of the wallet shows the token. */
  readonly isDiscovered: (address: string) => boolean
  /** The number of tokens that were not read: those above the limit, and those whose amount no node returned. */
  readonly skipped: number
  /** False if a node returned no amount or no metadata, so that a retry at the same head may return more. */
  readonly isComplete: boolean
  readonly warnings: readonly Warning[]
}

/**
 * Finds what a wallet may hold: the configured and listed tokens, and those of its transfers, without contracts of NFTs. Until
 * all transfers are known, also the tokens that other wallets moved, with one call for all of them.
 * Their amounts are in the cache of the reader afterwards.
 */
export async function findNodeWallet(
  wallet: string,
  { chain, head }: { readonly chain: ChainConfig; readonly head: Head },
  {
    node,
    chainReader,
    keyId,
  }: { readonly node: NodeChain; readonly chainReader: ChainReader; readonly keyId: number },
): Promise<NodeWallet> {
  const discovered = await node.discovery.find(wallet, head, keyId, 'received-tokens')
  const listed = orderCandidates(node.listTokens(), discovered.tokens)
  // Once its transfers are known, they show what it holds.
  const isListed = new Set(listed)
  const moved = discovered.share < 1 ? node.discovery.mostMoved : []
  const isMoved = new Set(moved.filter((token) => !isListed.has(token)))
  const all = [...listed, ...isMoved]
  const candidates = all.slice(0, maxTokens)
  const amounts = await chainReader.amounts(chain.id, wallet, ['native', ...candidates], head)
  const held = candidates.filter((token) => {
    const amount = amounts.get(token)
    return typeof amount === 'bigint' && amount > 0n
  })
  const heldMoved = held.filter((token) => isMoved.has(token))
  if (heldMoved.length > 0) {
    await node.discovery.addHeld(wallet, heldMoved)
  }
  const metadata = await node.tokens.read(held, head)
  const isCollection = new Set(held.filter((address) => !metadata.has(address)))
  const unnamed = { name: undefined, symbol: undefined, decimals: undefined }
  const read = candidates.filter((address) => amounts.has(address))
  const tokens = read
    .filter((address) => amounts.get(address) !== 0n && !isCollection.has(address))
    .map((address) => ({ chain, address, ...(metadata.get(address) ?? unnamed) }))
  const named = tokens.filter(({ address }) => metadata.get(address))
  const priced = named.slice(0, maxPriced)
  node.lastReads.set(wallet, { candidates, priced })
  const unnamedCount = held.length - isCollection.size - named.length
  return {
    native: nativeToken(chain),
    tokens,
    priced,
    isDiscovered: (address) => discovered.tokens.has(address),
    skipped: listed.length - read.filter((token) => !isMoved.has(token)).length,
    isComplete: read.length === candidates.length && unnamedCount === 0,
    warnings: [
      ...describePartialHistory(chain, discovered),
      ...describeUnnamed(chain, unnamedCount),
      ...describeUnpriced(chain, named.length - maxPriced),
    ],
  }
}

/**
 * Repeats the reads of the last response of a wallet at another head, as the next response mostly needs the same ones. Amounts and
 * states of pools are then read by one call instead of two in sequence.
 */
export async function readAhead(
  wallet: string,
  { chain, head }: { readonly chain: ChainConfig; readonly head: Head },
  { node, chainReader }: { readonly node: NodeChain; readonly chainReader: ChainReader },
): Promise<void> {
  const last = node.lastReads.get(wallet)
  if (last) {
    await Promise.all([
      chainReader.amounts(chain.id, wallet, ['native', ...last.candidates], head),
      node.prices.load(last.priced, head),
    ])
  }
}

function describeUnnamed({ id, name }: ChainConfig, count: number): Warning[] {
  return count === 0
    ? []
    : [
        {
          code: 'METADATA_NOT_READ',
          message: `No node of chain ${id} (${name}) returned names and decimals of ${count} tokens in time, so that these and their prices are missing`,
          chain_id: id,
        },
      ]
}

function describeUnpriced({ id, name }: ChainConfig, count: number): Warning[] {
  return count <= 0
    ? []
    : [
        {
          code: 'PRICES_NOT_READ',
          message: `The wallet holds more than ${maxPriced} tokens on chain ${id} (${name}), of which ${count} were not priced`,
          chain_id: id,
        },
      ]
}
