import { startNodeProxy } from './startNodeProxy.ts'

export interface RpcLog {
  readonly blockNumber: string
  readonly transactionHash: string
  readonly address: string
  readonly topics: readonly string[]
  readonly [field: string]: unknown
}

export interface RpcReceipt {
  readonly transactionHash: string
  readonly logs: readonly RpcLog[]
  readonly [field: string]: unknown
}

/** The lies of a node, always the same ones. Each returns undefined where it leaves the result unchanged. */
export interface Lie {
  /** Changes all receipts of a block. */
  readonly receipts?: (receipts: readonly RpcReceipt[]) => readonly RpcReceipt[] | undefined
  /** Changes the logs of a block, of `eth_getLogs`. */
  readonly logs?: (logs: readonly RpcLog[]) => readonly RpcLog[] | undefined
  /** Changes a block of `eth_getBlockByNumber`. */
  readonly block?: (block: Record<string, unknown>) => object | undefined
  /** The most logs in a result of `eth_getLogs`, which is truncated without an error. */
  readonly maxLogs?: number
}

/** Starts a proxy of a node that alters its responses. */
export async function startLyingNode(node: string) {
  const lying = Object.assign(await startNodeProxy(node), {
    lie: undefined as Lie | undefined,
    /** Altered results. */
    lies: 0,
  })
  lying.transformResult = (method, _params, result) => {
    const altered = lying.lie && result ? applyLie(lying.lie, method, result) : undefined
    if (altered === undefined) {
      return result
    }
    lying.lies++
    return altered
  }
  return lying
}

function applyLie(lie: Lie, method: string, result: unknown): unknown {
  if (method === 'eth_getBlockReceipts') {
    return lie.receipts?.(result as RpcReceipt[])
  }
  if (method === 'eth_getBlockByNumber') {
    return lie.block?.(result as Record<string, unknown>)
  }
  if (method === 'eth_getLogs') {
    const logs = result as RpcLog[]
    if (lie.maxLogs !== undefined && logs.length > lie.maxLogs) {
      return logs.slice(0, lie.maxLogs)
    }
    const byBlock = Object.values(Object.groupBy(logs, ({ blockNumber }) => blockNumber))
    const changed = byBlock.map((some) => lie.logs?.(some ?? []))
    return changed.some((some) => some)
      ? changed.flatMap((some, index) => some ?? byBlock[index] ?? [])
      : undefined
  }
  return undefined
}
