import { Batches } from '../queues/Batches.ts'
import type { BlockRef } from './methods/BlockHeader.ts'
import type { Call, CallResult } from './methods/Call.ts'
import type { ReadResults, Reads, Search } from './methods/callAndSearch.ts'
import type { TopicLogs } from './methods/getNewestLogs.ts'
import type { MulticallOptions } from './methods/multicall.ts'

type Execute = (reads: Reads, block: BlockRef, options: MulticallOptions) => ReadResults

type Item = { readonly call: Call } | { readonly search: Search }
type Result = CallResult | TopicLogs | undefined

/**
 * Executes calls that start at once, at the same block, together, and searches the logs up to that block with them: they are
 * mostly one batch.
 */
export class BlockReads {
  readonly #execute: Execute
  readonly #batches = new Batches<Item, Promise<Result>>()

  constructor(execute: Execute) {
    this.#execute = execute
  }

  /** @param options - calls with a signal, and those that are not aggregated, are executed alone. */
  async call(
    calls: readonly Call[],
    block: BlockRef,
    options: MulticallOptions = {},
  ): Promise<readonly CallResult[]> {
    if (calls.length === 0) {
      return []
    }
    const { aggregatedBytes, timeoutMs, ...others } = options
    if (aggregatedBytes === undefined || Object.keys(others).length > 0) {
      return await this.#execute({ calls, searches: [] }, block, options).results
    }
    // Each call has a size of its own.
    const items = calls.map((call) => ({ call: { resultBytes: aggregatedBytes, ...call } }))
    return (await this.#run(items, block, timeoutMs)) as CallResult[]
  }

  /**
   * Searches logs up to a block, with the calls at that block that start at once.
   *
   * @returns undefined without such calls, or if no node returned the logs with them.
   */
  async search(search: Search, block: BlockRef, timeoutMs: number): Promise<TopicLogs | undefined> {
    const [found] = await this.#run([{ search }], block, timeoutMs)
    return found as TopicLogs | undefined
  }

  /** Requests that clients wait for, which have a timeout, do not wait for others. */
  async #run(
    items: readonly Item[],
    block: BlockRef,
    timeoutMs: number | undefined,
  ): Promise<Result[]> {
    const key = `${block.hash} ${timeoutMs === undefined ? 'background' : 'client'}`
    const results = await this.#batches.run(key, items, async (all) => {
      const calls = all.flatMap((item) => ('call' in item ? item.call : []))
      const searches = all.flatMap((item) => ('search' in item ? item.search : []))
      const options = { aggregatedBytes: 0, timeoutMs }
      const { results, found } = this.#execute({ calls, searches }, block, options)
      let call = 0
      let search = 0
      return all.map(async (item) => {
        const index = 'call' in item ? call++ : search++
        return ('call' in item ? await results : await found)[index]
      })
    })
    return await Promise.all(results)
  }
}
