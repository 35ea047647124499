import type { BlockRef } from '../rpc/BlockHeader.ts'

/** A chain's nodes, as far as they are needed here. */
export interface NativeBalanceSource {
  /** What an account has of the native asset at a block, in smallest units. */
  getNativeBalance(address: string, block: BlockRef): Promise<bigint>
}

/**
 * Reads what an account has of a chain's native asset at a block, in smallest units. Rejects when the nodes do not
 * tell in time.
 */
export type ReadNativeBalance = (
  chainId: number,
  address: string,
  block: BlockRef,
) => Promise<bigint>

/** An answer waits no longer than this for the nodes, whatever they themselves would wait. */
const PATIENCE_MS = 5000
const REMEMBERED = 10_000

/** Makes a reader over the nodes of each chain, by chain id. It remembers: at one block a balance never changes. */
export function createNativeBalanceReader(
  nodes: ReadonlyMap<number, NativeBalanceSource>,
): ReadNativeBalance {
  const memory = new Map<string, Promise<bigint>>()
  return (chainId, address, block) => {
    const key = `${chainId}/${address}/${block.hash}`
    const known = memory.get(key)
    if (known) return known
    const source = nodes.get(chainId)
    if (!source) return Promise.reject(new Error(`Chain ${chainId} has no node`))
    const reading = withinPatience(source.getNativeBalance(address, block))
    memory.set(key, reading)
    reading.catch(() => memory.delete(key))
    const oldest = memory.size > REMEMBERED ? memory.keys().next().value : undefined
    if (oldest !== undefined) memory.delete(oldest)
    return reading
  }
}

async function withinPatience<Value>(reading: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const impatience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The nodes took too long')), PATIENCE_MS)
  })
  try {
    return await Promise.race([reading, impatience])
  } finally {
    clearTimeout(timer)
  }
}
