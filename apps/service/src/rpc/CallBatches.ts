import { Batches } from '../queues/Batches.ts'
import type { BlockRef } from './methods/BlockHeader.ts'
import type { Call, CallResult } from './methods/Call.ts'
import type { MulticallOptions } from './methods/multicall.ts'

type Execute = (
  calls: readonly Call[],
  block: BlockRef,
  options: MulticallOptions,
) => Promise<CallResult[]>

/** Executes calls that start at once, at the same block and with the same timeout, together: they are mostly one request. */
export class CallBatches {
  readonly #execute: Execute
  readonly #batches = new Batches<Call, CallResult>()

  constructor(execute: Execute) {
    this.#execute = execute
  }

  /** @param options - calls with a signal, and those that are not aggregated, are executed alone. */
  async run(
    calls: readonly Call[],
    block: BlockRef,
    options: MulticallOptions = {},
  ): Promise<CallResult[]> {
    if (calls.length === 0) {
      return []
    }
    const { aggregatedBytes, timeoutMs, ...others } = options
    if (aggregatedBytes === undefined || Object.keys(others).length > 0) {
      return await this.#execute(calls, block, options)
    }
    return await this.#batches.run(
      `${block.hash} ${timeoutMs}`,
      calls.map((call) => ({ ...call, resultBytes: aggregatedBytes })),
      // Each call has a size of its own.
      (all) => this.#execute(all, block, { aggregatedBytes: 0, timeoutMs }),
    )
  }
}
