import type { LRUCache } from 'lru-cache'
import { createLruCache } from '../../createLruCache.ts'
import { classifyContract, eventBits } from '../../metadata/classifyContract.ts'
import {
  fetchTokenMetadata,
  type TokenContract,
  type TokenMetadata,
} from '../../metadata/fetchTokenMetadata.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { decodeWord, totalSupplyCall } from '../../rpc/methods/Call.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import type { TokenStandard } from '../../store/Database.ts'
import { msPerMinute } from '../../time.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import type { ReadableCollectible } from '../readValues.ts'
import type { NodeSource } from './NodeSource.ts'

/** A contract that emits ERC20 transfers, of which the metadata was read. */
export type NodeToken = Pick<ChainToken, 'name' | 'symbol' | 'decimals'>

/** A contract that emits transfers of NFTs. */
export interface Collection {
  readonly standard: TokenStandard
  readonly symbol: string | null
  /** False for an ERC20 token whose events look like those of NFTs. */
  readonly hasCollectibles: boolean
}

const maxTokens = 20_000
/** Names may change. */
const maxAgeMs = 60 * msPerMinute
/** A contract without a name may be created or initialized later. */
const maxNamelessAgeMs = msPerMinute
const timeoutMs = 5_000
/** The size of most names. Longer ones are read in a request of their own. */
const textBytes = 128

/** Reads names, symbols and decimals of tokens, and the contracts of NFTs, by calls. */
export class TokenReader {
  readonly #node: Pick<NodeSource, 'multicall'>
  readonly #tokens = createLruCache<string, TokenMetadata>(maxTokens)
  readonly #collections = createLruCache<string, TokenMetadata>(maxTokens)

  constructor(node: Pick<NodeSource, 'multicall'>) {
    this.#node = node
  }

  /**
   * Reads ERC20 tokens.
   *
   * @param addresses - contracts that emit ERC20 transfers, or return balances.
   * @returns by address; undefined where no node responds. NFT contracts are left out.
   */
  async read(
    addresses: readonly string[],
    block: BlockRef,
  ): Promise<ReadonlyMap<string, NodeToken | undefined>> {
    const missing = addresses.filter((address) => !this.#tokens.has(address))
    if (missing.length > 0) {
      const contracts = missing.map((address) => ({ address }))
      await this.#fetch(contracts, block, this.#tokens)
    }
    const tokens = new Map<string, NodeToken | undefined>()
    for (const address of addresses) {
      const metadata = this.#tokens.get(address)
      if (!metadata) {
        tokens.set(address, undefined)
      } else if (classifyContract({ ...metadata, events: eventBits[20] })?.standard === 20) {
        const { name, symbol, decimals } = metadata
        tokens.set(address, {
          name: name ?? undefined,
          symbol: symbol ?? undefined,
          decimals: decimals ?? undefined,
        })
      }
    }
    return tokens
  }

  /**
   * Finds the standard of a contract by its functions.
   *
   * @returns `none` for an address without a token; undefined where no node responds.
   */
  async findStandard(
    address: string,
    block: BlockRef,
  ): Promise<TokenStandard | 'none' | undefined> {
    if (!this.#tokens.has(address)) {
      await this.#fetch([{ address }], block, this.#tokens)
    }
    const metadata = this.#tokens.get(address)
    // A collection with decimals is an ERC20 token with NFTs, whose events are unknown.
    const found =
      metadata && classifyContract({ ...metadata, events: metadata.decimals ? eventBits[20] : 0 })
    if (!metadata || found) {
      return found?.standard
    }
    const [supply] = await this.#node.multicall([totalSupplyCall(address)], block, { timeoutMs })
    const isToken = decodeWord(supply) !== undefined
    return supply?.status === 'failed' ? undefined : isToken ? 20 : 'none'
  }

  /**
   * Reads the contracts of NFTs.
   *
   * @param collectibles - an NFT of each contract, with an owner if the contract has owners.
   * @returns by contract, without those that no node returned.
   */
  async readCollections(
    collectibles: readonly ReadableCollectible[],
    block: BlockRef,
  ): Promise<ReadonlyMap<string, Collection>> {
    const byContract = new Map(collectibles.map((each) => [each.contract, each]))
    const missing = [...byContract.values()]
      .filter(({ contract }) => !this.#collections.has(contract))
      .map(({ contract, tokenId, standard, ownerFunction }) => ({
        address: contract,
        ownerFunction,
        ...(standard === 721 && { tokenId }),
      }))
    if (missing.length > 0) {
      await this.#fetch(missing, block, this.#collections)
    }
    const collections = new Map<string, Collection>()
    for (const { contract, standard } of byContract.values()) {
      const metadata = this.#collections.get(contract)
      if (metadata) {
        const found = classifyContract({ ...metadata, events: eventBits[standard] })
        collections.set(contract, {
          standard: found?.standard ?? standard,
          symbol: metadata.symbol,
          hasCollectibles: found?.has_collectibles ?? true,
        })
      }
    }
    return collections
  }

  async #fetch(
    contracts: readonly TokenContract[],
    block: BlockRef,
    cache: LRUCache<string, TokenMetadata>,
  ): Promise<void> {
    const node: Pick<NodeSource, 'multicall'> = {
      multicall: (calls, at, options) =>
        this.#node.multicall(calls, at, { ...options, timeoutMs, aggregatedBytes: textBytes }),
    }
    const results = await fetchTokenMetadata(node, contracts, block)
    for (const [index, result] of results.entries()) {
      if (!(result instanceof NodeError)) {
        const isNamed = result.name !== null || result.symbol !== null
        const ttl = isNamed ? maxAgeMs : maxNamelessAgeMs
        cache.set(contracts[index]?.address ?? '', result, { ttl })
      }
    }
  }
}
