import { setTimeout as delay } from 'node:timers/promises'
import { http } from 'viem'
import { NodeError } from './NodeError.ts'
import { toNodeError } from './toNodeError.ts'

/** Asks a JSON-RPC question. Rejects with a {@link NodeError}, or the signal's reason. */
export type Request = (method: string, params: unknown[], signal?: AbortSignal) => Promise<unknown>

/** Questions asked in the same moment travel together; hosted nodes commonly refuse more than this in one body. */
const maximumBatch = 100
const timeoutMs = 20_000
const maxResponseBytes = 256 * 1024 * 1024
const retryMs = 150

/** Connects to a chain's nodes. The first is asked, the next one when it fails, and all of them once more. */
export function connectNodes(rpcUrls: readonly string[]): Request {
  const nodes = rpcUrls.map(connectNode)
  return async (method, params, signal) => {
    let failure: NodeError | undefined
    for (let round = 1; ; round++) {
      for (const ask of nodes)
        try {
          return await ask(method, params, signal)
        } catch (error) {
          if (!(error instanceof NodeError)) throw error
          // What a node says tells more than that another is away.
          if (!failure?.mayBeTooMuch || error.mayBeTooMuch) failure = error
        }
      if (failure && (round === 2 || !failure.retryable)) throw failure
      await delay(retryMs, undefined, signal && { signal })
    }
  }
}

/** Connects to one node, and finds how many questions it takes at once. */
function connectNode(url: string): Request {
  const open = (batchSize: number) => {
    const batch = batchSize > 1 && { batchSize }
    const limits = { timeout: timeoutMs, maxResponseBodySize: maxResponseBytes }
    const { request } = http(url, { batch, retryCount: 0, ...limits })({})
    return { batchSize, request: request as ViemRequest }
  }
  let connection = open(maximumBatch)
  return async (method, params, signal) => {
    for (;;) {
      const { batchSize, request } = connection
      try {
        return await request({ method, params }, signal && { signal })
      } catch (reason) {
        signal?.throwIfAborted()
        const error = toNodeError(method, reason)
        if (batchSize === 1 || !/batch/i.test(error.message)) throw error
        // Every question of the batch comes here, the first one halves.
        if (connection.batchSize === batchSize) connection = open(batchSize >> 1)
      }
    }
  }
}

type ViemRequest = (
  body: { method: string; params: unknown[] },
  options?: { signal: AbortSignal },
) => Promise<unknown>
