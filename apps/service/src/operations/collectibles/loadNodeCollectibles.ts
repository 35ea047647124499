import type { Warning } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import {
  type FoundCollectible,
  getCollectibleKey,
  maxCollectibles,
  mayBeHeld,
} from '../../discovery/Findings.ts'
import type { Head } from '../../store/Head.ts'
import type { ChainReader } from '../ChainReader.ts'
import { describePartialHistory } from '../fromNode/describePartialHistory.ts'
import type { NodeChain } from '../fromNode/NodeChain.ts'
import type { HandlerContext } from '../Handler.ts'
import type { ChainHeads } from '../loadHeads.ts'
import type { ChainValue } from '../readValues.ts'
import type { DetailedCollectible } from './loadDetails.ts'
import { type CollectibleSortKey, compareCollectibles, type OwnedCollectible } from './loadOwned.ts'

/** What the nodes of a request's chains return. */
interface NodeCollectibles {
  readonly requested: ChainHeads
  readonly detailed: readonly DetailedCollectible[]
  readonly warnings: readonly Warning[]
  /** False if a node returned no amount of an NFT, so that a retry at the same heads may return more. */
  readonly isComplete: boolean
}

/** The part of a listing that is loaded: at least `limit` NFTs after a key, if there are that many. */
interface Page {
  readonly after: CollectibleSortKey | undefined
  readonly limit: number
}

/** An NFT that a wallet may hold, as it is listed if it does. */
interface Candidate {
  readonly found: FoundCollectible
  readonly owned: OwnedCollectible
}

/** Candidates that are read together, at first. Some may be held no more. */
const minRead = 100
/** While too few of them are held, the next read is this many times larger. */
const readGrowth = 4

/**
 * Finds the NFTs of a wallet on the chains that are not indexed, or not completely: those of its transfers that it holds at
 * the heads of the nodes.
 *
 * @param chains - those of the request that nodes serve.
 */
export async function loadNodeCollectibles(
  wallet: string,
  chains: readonly ChainConfig[],
  page: Page,
  { nodeChains, chainReader, keyId }: Pick<HandlerContext, 'nodeChains' | 'chainReader' | 'keyId'>,
): Promise<NodeCollectibles> {
  const { requested, results } = await nodeChains.load(chains, async (node, chain, head) => {
    const discovered = await node.discovery.find(wallet, head, keyId, 'received')
    const found = [...discovered.collectibles.values()]
    const notHeld = node.collectibleReads.findNotHeld(wallet, found, head)
    const candidates = found
      .filter((each) => !notHeld.has(each))
      .flatMap((each) => toCandidate(chain, each))
      .filter(({ owned }) => !page.after || compareCollectibles(owned, toPosition(page.after)) > 0)
      .sort((a, b) => compareCollectibles(a.owned, b.owned))
    const { held, unread } = await findHeld(candidates, page.limit, (chunk) =>
      readHeld(wallet, chunk, { chain, head, node, chainReader }),
    )
    return {
      detailed: await addDetails(held, node, head),
      isComplete: unread === 0,
      warnings: [
        ...describePartialHistory(chain, discovered),
        ...(found.length >= maxCollectibles ? [describeLimit(chain)] : []),
        ...(unread > 0 ? [describeUnread(chain, unread)] : []),
      ],
    }
  })
  return {
    requested,
    detailed: results.flatMap(({ detailed }) => detailed),
    warnings: results.flatMap(({ warnings }) => warnings),
    isComplete: results.every(({ isComplete }) => isComplete),
  }
}

/** What a wallet received and, of ERC721, did not send later. */
function toCandidate({ id: chainId }: ChainConfig, found: FoundCollectible): Candidate[] {
  const { contract, tokenId, lastIn } = found
  if (!lastIn || !mayBeHeld(found)) {
    return []
  }
  const amount = '0'
  const owned = { chainId, contract, tokenId: String(tokenId), amount, time: lastIn.time ?? 0 }
  return [{ found, owned }]
}

function toPosition([time, chainId, contract, tokenId]: CollectibleSortKey): OwnedCollectible {
  return { time, chainId, contract, tokenId, amount: '0' }
}

/** An NFT that a wallet holds, with its contract as far as that was read. */
interface Held extends Candidate {
  readonly symbol: string | null
  readonly standard: number
}

interface ReadResult {
  readonly held: readonly Held[]
  /** The number of candidates whose amount no node returned. */
  readonly unread: number
}

/** Reads candidates in their order until enough of them are held. */
async function findHeld(
  candidates: readonly Candidate[],
  limit: number,
  read: (chunk: readonly Candidate[]) => Promise<ReadResult>,
): Promise<ReadResult> {
  const held: Held[] = []
  let unread = 0
  let size = Math.max(minRead, limit)
  for (let start = 0; start < candidates.length && held.length < limit;) {
    const chunk = candidates.slice(start, start + size)
    start += chunk.length
    size *= readGrowth
    const result = await read(chunk)
    held.push(...result.held)
    unread += result.unread
  }
  return { held: held.slice(0, limit), unread }
}

async function readHeld(
  wallet: string,
  chunk: readonly Candidate[],
  {
    chain,
    head,
    node,
    chainReader,
  }: {
    readonly chain: ChainConfig
    readonly head: Head
    readonly node: NodeChain
    readonly chainReader: ChainReader
  },
): Promise<ReadResult> {
  const items = chunk.map(({ found }) => node.toReadable(found))
  const amounts = await chainReader.collectibles(chain.id, wallet, items, head)
  const read = chunk.map(({ found, owned }) => {
    return { found, owned, amount: amounts.get(getCollectibleKey(found)) }
  })
  const findWith = (expected: ChainValue | undefined) =>
    read.flatMap(({ found, amount }) => (amount === expected ? [found] : []))
  const notHeld = [...findWith(0n), ...findWith('unreadable')]
  node.collectibleReads.markNotHeld(wallet, notHeld, head)
  const positive = read.filter(({ amount }) => typeof amount === 'bigint' && amount > 0n)
  const collections = await node.tokens.readCollections(
    positive.map(({ found }) => node.toReadable(found)),
    head,
  )
  const held = positive.flatMap(({ found, owned, amount }): Held[] => {
    const { contract, standard } = found
    const collection = collections.get(contract)
    if (collection && !collection.hasCollectibles) {
      return []
    }
    return [
      {
        found,
        owned: { ...owned, amount: String(amount) },
        symbol: collection?.symbol ?? null,
        // A token with NFTs has them of either standard.
        standard: collection && collection.standard !== 20 ? collection.standard : standard,
      },
    ]
  })
  return { held, unread: findWith(undefined).length }
}

/** Adds the documents that were read so far, and requests the others. */
async function addDetails(
  held: readonly Held[],
  node: NodeChain,
  head: Head,
): Promise<DetailedCollectible[]> {
  const sources = held.map(({ found: { contract, tokenId }, standard }) => ({
    contract,
    tokenId,
    standard,
  }))
  const documents = await node.documents.load(sources)
  node.documents.request(
    sources.filter((_, index) => !documents[index]),
    head,
  )
  return held.map(({ owned, symbol, standard }, index) => {
    const { uri, name, description, attributes, image } = documents[index] ?? noDocument
    return {
      owned,
      details: {
        standard,
        symbol,
        uri,
        name,
        description,
        attributes,
        // Sales are those of the index.
        sale_price: null,
        has_image: image !== null,
        is_unrequested: false,
      },
    }
  })
}

const noDocument = { uri: null, name: null, description: null, attributes: null, image: null }

function describeLimit({ id, name }: ChainConfig): Warning {
  return {
    code: 'BALANCES_NOT_READ',
    message: `The wallet received more NFTs on chain ${id} (${name}) than the ${maxCollectibles} that are kept: others may be missing`,
    chain_ids: [id],
  }
}

function describeUnread({ id, name }: ChainConfig, count: number): Warning {
  return {
    code: 'BALANCES_NOT_READ',
    message: `No node of chain ${id} (${name}) returned the owners of ${count} NFTs in time, which are missing`,
    chain_ids: [id],
  }
}
