import { setTimeout as delay } from 'node:timers/promises'
import type { ContractSource } from '../../metadata/callContracts.ts'
import type { CallContracts } from '../../pricing/venues/Venue.ts'
import { Batches } from '../../queues/Batches.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import type { Call } from '../../rpc/methods/Call.ts'
import type { NodeError } from '../../rpc/transport/NodeError.ts'
import { isMissingState } from '../../rpc/transport/nodeMessages.ts'

/** The size of most results of the calls that read a pool. */
const resultBytes = 64
/** Blocks that are read at once. */
const maxConcurrent = 8

/** After this many blocks in a row without state, those that follow are not requested, as they have none either. */
const maxMissing = 3
/** How many are not requested then. */
const skippedBlocks = 64
/** How often a block is requested that nodes reject for another reason. */
const maxAttempts = 3
/** A call that only fails where the node does, as no contract has the address. */
const control: Call = { to: `0x${'0'.repeat(40)}`, data: '0x00' }

/** The state of a block is unknown, as no node has it. */
class MissingStateError extends Error {
  override readonly name = 'MissingStateError'
}

/** Reads with calls at a block. */
interface ReadTask<Result> {
  readonly block: BlockRef
  /** Whether nodes may have discarded the state of the block. */
  readonly isPrunable: boolean
  readonly run: (call: CallContracts) => Promise<Result | undefined>
}

/** Reads pools from their contracts, at the blocks that change them. */
export class PoolReader {
  readonly #node: ContractSource
  readonly #retryDelayMs: number
  readonly #batches = new Batches<Call, string>()
  /** Blocks in a row whose state is unknown. */
  #missing = 0
  /** The first block that may lack its state and is requested again. */
  #nextRequested = 0

  constructor(node: ContractSource, { retryDelayMs = 500 } = {}) {
    this.#node = node
    this.#retryDelayMs = retryDelayMs
  }

  /**
   * Executes tasks. The calls that tasks of one block make at the same time are requested together.
   *
   * @returns the result of each; undefined where no node has the state of a block that is prunable. Calls that their contract
   *   fails return `0x`.
   * @throws {NodeError} when the nodes fail otherwise.
   */
  async read<Result>(tasks: readonly ReadTask<Result>[]): Promise<(Result | undefined)[]> {
    const results = new Map<ReadTask<Result>, Result | undefined>()
    const pending = Map.groupBy(tasks, ({ block }) => block.hash).values()
    const work = async () => {
      for (const ofBlock of pending) {
        const [{ block, isPrunable }] = ofBlock as [ReadTask<Result>]
        const call: CallContracts = (calls) =>
          this.#batches.run(block.hash, calls, (all) => this.#execute(all, block, isPrunable))
        await Promise.all(
          ofBlock.map(async (task) => {
            try {
              results.set(task, await task.run(call))
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
    return tasks.map((task) => results.get(task))
  }

  async #execute(calls: readonly Call[], block: BlockRef, isPrunable: boolean): Promise<string[]> {
    if (isPrunable && block.number < this.#nextRequested) {
      throw new MissingStateError(`The state of block ${block.number} is not requested`)
    }
    for (let attempt = 1; ; attempt++) {
      const all = attempt === 1 ? calls : [...calls, control]
      const results = await this.#node.multicall(all, block, { aggregatedBytes: resultBytes })
      const failures = results.flatMap((result) => (result.status === 'failed' ? result.error : []))
      const [failure] = failures
      const isLast = attempt === maxAttempts
      // What fails only where a contract is called is due to the contract, such as a call that takes the node too long.
      const isOfContracts =
        isLast && results.at(-1)?.status === 'success' && failures.every(isPermanent)
      if (!failure || isOfContracts) {
        this.#missing = 0
        return results.map((result) => (result.status === 'success' ? result.data : '0x'))
      }
      const isMissing = failure.kind === 'rejected' && isMissingState(failure.message)
      if (!isMissing && !isPermanent(failure)) {
        throw failure
      }
      // Other rejections, such as an internal error, may be permanent or not.
      if (isMissing || isLast || (isPrunable && this.#missing >= maxMissing)) {
        if (!isPrunable) {
          throw failure
        }
        this.#recordMissing(block)
        throw new MissingStateError(failure.message)
      }
      await delay(this.#retryDelayMs * attempt)
    }
  }

  #recordMissing({ number }: BlockRef): void {
    this.#missing++
    if (this.#missing >= maxMissing) {
      this.#nextRequested = Math.max(this.#nextRequested, number + skippedBlocks)
    }
  }
}

/** Whether a node rejects a call, and would reject it again, although it may have the state. */
function isPermanent({ kind, retryable, message }: NodeError): boolean {
  return kind === 'rejected' && !retryable && !isMissingState(message)
}
