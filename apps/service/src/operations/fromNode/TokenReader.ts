import { LRUCache } from 'lru-cache'
import { classifyContract } from '../../metadata/classifyContract.ts'
import { fetchTokenMetadata, type TokenMetadata } from '../../metadata/fetchTokenMetadata.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { decodeWord, totalSupplyCall } from '../../rpc/methods/Call.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import type { TokenStandard } from '../../store/Database.ts'
import { msPerMinute } from '../../time.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import type { NodeSource } from './NodeSource.ts'

/** A contract that emits ERC20 transfers, of which the metadata was read. */
export type NodeToken = Pick<ChainToken, 'name' | 'symbol' | 'decimals'>

const maxTokens = 20_000
/** Names may change. */
const maxAgeMs = 60 * msPerMinute
const timeoutMs = 5_000
/** The size of most names. Longer ones are read in a request of their own. */
const textBytes = 128
/** The bit of ERC20 in the events of a contract. */
const erc20Events = 1

/** Reads names, symbols and decimals of tokens by calls. */
export class TokenReader {
  readonly #node: Pick<NodeSource, 'multicall'>
  readonly #tokens = new LRUCache<string, TokenMetadata>({ max: maxTokens, ttl: maxAgeMs })

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
      await this.#fetch(missing, block)
    }
    const tokens = new Map<string, NodeToken | undefined>()
    for (const address of addresses) {
      const metadata = this.#tokens.get(address)
      if (!metadata) {
        tokens.set(address, undefined)
      } else if (classifyContract({ ...metadata, events: erc20Events })?.standard === 20) {
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
      await this.#fetch([address], block)
    }
    const metadata = this.#tokens.get(address)
    const found = metadata && classifyContract({ ...metadata, events: 0 })
    if (!metadata || found) {
      return found?.standard
    }
    const [supply] = await this.#node.multicall([totalSupplyCall(address)], block, { timeoutMs })
    const isToken = decodeWord(supply) !== undefined
    return supply?.status === 'failed' ? undefined : isToken ? 20 : 'none'
  }

  async #fetch(addresses: readonly string[], block: BlockRef): Promise<void> {
    const node: Pick<NodeSource, 'multicall'> = {
      multicall: (calls, at, options) =>
        this.#node.multicall(calls, at, { ...options, timeoutMs, aggregatedBytes: textBytes }),
    }
    const contracts = addresses.map((address) => ({ address }))
    const results = await fetchTokenMetadata(node, contracts, block)
    for (const [index, result] of results.entries()) {
      if (!(result instanceof NodeError)) {
        this.#tokens.set(addresses[index] ?? '', result)
      }
    }
  }
}
