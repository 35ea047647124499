import type { BlockRef } from './methods/BlockHeader.ts'
import type { Call, CallResult } from './methods/Call.ts'
import type { MulticallOptions } from './methods/multicall.ts'

type Execute = (
  calls: readonly Call[],
  block: BlockRef,
  options: MulticallOptions,
) => Promise<CallResult[]>

interface Batch {
  readonly calls: Call[]
  readonly results: Promise<CallResult[]>
}

/** Executes calls that start at once, at the same block and with the same timeout, together: they are mostly one request. */
export class CallBatches {
  readonly #execute: Execute
  readonly #batches = new Map<string, Batch>()

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
    const key = `${block.hash} ${timeoutMs}`
    const batch = this.#batches.get(key) ?? this.#start(key, block, timeoutMs)
    const start = batch.calls.length
    batch.calls.push(...calls.map((call) => ({ ...call, resultBytes: aggregatedBytes })))
    return (await batch.results).slice(start, start + calls.length)
  }

  #start(key: string, block: BlockRef, timeoutMs: number | undefined): Batch {
    const calls: Call[] = []
    const results = new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.#batches.delete(key)
      // Each call has a size of its own.
      return this.#execute(calls, block, { aggregatedBytes: 0, timeoutMs })
    })
    const batch = { calls, results }
    this.#batches.set(key, batch)
    return batch
  }
}
