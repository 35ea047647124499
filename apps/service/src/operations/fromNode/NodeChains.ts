import type { ChainFault } from '@headwater/contract/schemas'
import type { ChainConfig } from '../../config/Config.ts'
import { SearchLimitError } from '../../discovery/SearchLimitError.ts'
import type { Head } from '../../store/Head.ts'
import { isDatabaseUnavailable } from '../../store/isDatabaseUnavailable.ts'
import type { ChainHeads } from '../loadHeads.ts'
import type { NodeChain } from './NodeChain.ts'
import { ServedChain, type ServedChainOptions } from './ServedChain.ts'

/** @throws {unknown} the error, unless it makes a chain unavailable. */
function toFault(error: unknown): ChainFault {
  if (error instanceof SearchLimitError) {
    return 'SEARCH_LIMIT_REACHED'
  }
  if (isDatabaseUnavailable(error)) {
    return 'STORE_UNAVAILABLE'
  }
  throw error as Error
}

/** The chains that can be read from their nodes. */
export class NodeChains {
  readonly #chains: ReadonlyMap<number, ServedChain>

  constructor(chains: readonly ServedChainOptions[]) {
    this.#chains = new Map(
      chains
        .filter(({ chain }) => chain.history !== 'index')
        .map((options) => [options.chain.id, new ServedChain(options)]),
    )
  }

  /** @throws {Error} for a chain with `history` = `index`. */
  get(chainId: number): NodeChain {
    return this.#get(chainId).nodeChain
  }

  #get(chainId: number): ServedChain {
    const chain = this.#chains.get(chainId)
    if (!chain) {
      throw new Error(`Chain ${chainId} is not read from its nodes`)
    }
    return chain
  }

  /** The latest block of a chain's nodes; undefined while none responds. */
  async findHead(chainId: number): Promise<Head | undefined> {
    return await this.#chains.get(chainId)?.findHead()
  }

  /** The latest block that a response reflects; undefined without one since the index replaced the nodes. */
  getServedBlock(chainId: number): number | undefined {
    return this.#chains.get(chainId)?.nodeChain.servedBlock
  }

  /** The index has replaced the nodes of a chain. */
  handOver(chainId: number): void {
    this.#chains.get(chainId)?.nodeChain.handOver()
  }

  /** The heads of chains at their nodes. */
  async findHeads(chains: readonly ChainConfig[]): Promise<ChainHeads> {
    const found = await Promise.all(
      chains.map(async (chain) => [chain, await this.#get(chain.id).findHead()] as const),
    )
    const available = found.filter((entry): entry is readonly [ChainConfig, Head] => !!entry[1])
    for (const [{ id }, { number }] of available) {
      this.get(id).recordServed(number)
    }
    return {
      chains: available.map(([chain]) => chain),
      heads: new Map(available.map(([{ id }, head]) => [id, head])),
      unavailable: found
        .filter(([, head]) => !head)
        .map(([{ id, name }]) => ({
          id,
          name,
          code: this.#get(id).isOtherChain ? 'CHAIN_STOPPED' : 'NODES_UNAVAILABLE',
        })),
      stale: [],
      nodeBacked: [],
    }
  }

  /**
   * Loads a part of the response from each chain, at its head. A chain is left out if its database, which has the results of
   * searches, is unavailable, or if the API key has too many searches of it.
   */
  async load<Result>(
    chains: readonly ChainConfig[],
    load: (node: NodeChain, chain: ChainConfig, head: Head) => Promise<Result>,
  ): Promise<{ readonly requested: ChainHeads; readonly results: readonly Result[] }> {
    const found = await this.findHeads(chains)
    const settled = await Promise.allSettled(
      found.chains.map(async (chain) => {
        const head = found.heads.get(chain.id) as Head
        return await load(this.get(chain.id), chain, head)
      }),
    )
    const failed = new Map<ChainConfig, ChainFault>()
    for (const [index, result] of settled.entries()) {
      if (result.status === 'rejected') {
        failed.set(found.chains[index] as ChainConfig, toFault(result.reason))
      }
    }
    const loaded = found.chains.filter((chain) => !failed.has(chain))
    const unreachable = [...failed].map(([{ id, name }, code]) => ({ id, name, code }))
    return {
      requested: {
        ...found,
        chains: loaded,
        heads: new Map(loaded.map(({ id }) => [id, found.heads.get(id) as Head])),
        unavailable: [...found.unavailable, ...unreachable],
      },
      results: settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#chains.values()].map((chain) => chain.close()))
  }
}
