import type { ContractSource } from '../../metadata/callContracts.ts'
import type { CallContracts } from '../../pricing/venues/Venue.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import type { Call } from '../../rpc/methods/Call.ts'

/** The size of most results of the calls that read a pool. */
const resultBytes = 64
/** Blocks that are read at once. */
const maxConcurrent = 8

/** After a block without state, as many later ones have none either: they are not requested. */
const skippedBlocks = 64
/** Messages of nodes that discarded the state of a block. */
const missingState = /missing|prun|archive|state/i

/** No node has the state of a block any more. */
class MissingStateError extends Error {
  override readonly name = 'MissingStateError'
}

/** Reads pools from their contracts, at the blocks that change them. */
export class PoolReader {
  readonly #node: ContractSource
  /** The first final block that is requested again, after one without state. */
  #nextRequested = 0

  constructor(node: ContractSource) {
    this.#node = node
  }

  /**
   * Executes tasks, each with calls at a block. The calls that tasks of one block make at the same time are requested
   * together.
   *
   * @param isFinal - whether the blocks are final, so that a node may have discarded their state.
   * @returns the result of each; undefined where no node has the state of the block.
   * @throws {NodeError} when the nodes fail otherwise.
   */
  async read<Result>(
    tasks: readonly {
      readonly block: BlockRef
      readonly isFinal: boolean
      readonly run: (call: CallContracts) => Promise<Result | undefined>
    }[],
  ): Promise<(Result | undefined)[]> {
    const results: (Result | undefined)[] = tasks.map(() => undefined)
    const byBlock = Map.groupBy(tasks.keys(), (index) => tasks[index]?.block.hash)
    const pending = byBlock.values()
    const work = async () => {
      for (const indexes of pending) {
        const [first] = indexes.flatMap((index) => tasks[index] ?? [])
        if (!first) {
          continue
        }
        const call = this.#createCaller(first.block, first.isFinal)
        await Promise.all(
          indexes.map(async (index) => {
            try {
              results[index] = await tasks[index]?.run(call)
            } catch (error) {
              if (!(error instanceof MissingStateError)) {
                throw error
              }
            }
          }),
        )
      }
    }
    await Promise.all(Array.from({ length: maxConcurrent }, work))
    return results
  }

  /** Creates a function that collects the calls of one turn of the event loop. */
  #createCaller(block: BlockRef, isFinal: boolean): CallContracts {
    let batch: { readonly calls: Call[]; readonly results: Promise<string[]> } | undefined
    return async (calls) => {
      if (!batch) {
        const all: Call[] = []
        const results = new Promise((resolve) => setImmediate(resolve)).then(() => {
          batch = undefined
          return this.#execute(all, block, isFinal)
        })
        batch = { calls: all, results }
      }
      const { calls: all, results } = batch
      const start = all.length
      all.push(...calls)
      return (await results).slice(start, start + calls.length)
    }
  }

  async #execute(calls: readonly Call[], block: BlockRef, isFinal: boolean): Promise<string[]> {
    if (isFinal && block.number < this.#nextRequested) {
      throw new MissingStateError(`The state of block ${block.number} is not requested`)
    }
    const results = await this.#node.multicall(calls, block, { aggregatedBytes: resultBytes })
    return results.map((result) => {
      if (result.status !== 'failed') {
        return result.status === 'success' ? result.data : '0x'
      }
      const { error } = result
      const isMissing =
        error.kind === 'rejected' && (!error.retryable || missingState.test(error.message))
      if (!isFinal || !isMissing) {
        throw error
      }
      this.#nextRequested = block.number + skippedBlocks
      throw new MissingStateError(error.message)
    })
  }
}
