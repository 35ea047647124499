import { parseHeader } from '../methods/BlockHeader.ts'
import { formatQuantity } from '../methods/parseHex.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { NodePool, Task } from '../transport/NodePool.ts'

/** Slower nodes do not take part in a comparison of blocks. */
const comparisonTimeoutMs = 3_000
/** Slower nodes count as unreachable when a claim is verified. */
const claimTimeoutMs = 10_000
const cooldownMs = 30_000
/** A node with an older head may still be syncing, so that a block which it lacks may exist. */
const staleSeconds = 600

/**
 * Finds the hash of a block that the nodes have in common.
 *
 * @returns undefined when no node has the block, when they have different ones, or when a synced node lacks it.
 */
export async function findCommonHash(
  pool: NodePool,
  number: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const options = { signal, timeoutMs: comparisonTimeoutMs }
  const results = await pool.runOnAll(getHash(number, pool.size > 1), options)
  signal?.throwIfAborted()
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const hashes = new Set(found.flatMap(({ hash }) => hash ?? []))
  const isContradicted = found.some(({ hash, isSynced }) => hash === undefined && isSynced)
  return hashes.size === 1 && !isContradicted ? [...hashes][0] : undefined
}

/** Finds the lowest block above the first one that a node reports by a tag; undefined where none does. */
export async function findLowestTagged(
  pool: NodePool,
  tag: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const task: Task<number | undefined> = async (node, deadline) => {
    // In a batch, in which an unsupported tag is not a failure of the node.
    const request = { method: 'eth_getBlockByNumber', params: [tag, false] }
    const [response] = await node.requestMany([request], deadline)
    return response && !response.error ? parseHeader(response.result)?.number : undefined
  }
  const results = await pool.runOnAll(task, { signal, timeoutMs: comparisonTimeoutMs })
  signal?.throwIfAborted()
  const numbers = results.flatMap((result) =>
    result.status === 'fulfilled' && result.value ? [result.value] : [],
  )
  return numbers.length > 0 ? Math.min(...numbers) : undefined
}

/** @param withHead - whether to find out whether the node is synced, which matters only if another node has the block. */
function getHash(
  number: number,
  withHead: boolean,
): Task<{ hash: string | undefined; isSynced: boolean }> {
  const blocks = [formatQuantity(number), ...(withHead ? ['latest'] : [])]
  const requests = blocks.map((block) => ({
    method: 'eth_getBlockByNumber',
    params: [block, false],
  }))
  return async (node, deadline) => {
    const [block, head] = (await node.requestMany(requests, deadline)).map((response) => {
      if (response.error) {
        throw response.error
      }
      return parseHeader(response.result)
    })
    return {
      hash: block?.number === number ? block.hash : undefined,
      isSynced: head !== undefined && Date.now() / 1000 - head.time < staleSeconds,
    }
  }
}

/**
 * Verifies a claim with every node. Where any confirms it, those that deny it cool down: they follow another chain.
 *
 * @returns whether any node confirms it.
 * @throws {NodeError} when none does, and one that might is unreachable.
 */
export async function someNode(
  pool: NodePool,
  claim: Task<boolean>,
  signal?: AbortSignal,
): Promise<boolean> {
  const results = await pool.runOnAll(claim, { signal, timeoutMs: claimTimeoutMs })
  signal?.throwIfAborted()
  const isConfirmed = results.some((result) => result.status === 'fulfilled' && result.value)
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled' && !result.value && isConfirmed) {
      pool.coolDown(index, cooldownMs)
    }
    if (result.status === 'rejected' && !isConfirmed) {
      const reason: unknown = result.reason
      if (reason instanceof NodeError && reason.kind === 'other-chain') {
        continue
      }
      throw reason instanceof NodeError
        ? reason.withPrefix('A node contradicts the indexed chain, and another is unreachable')
        : reason
    }
  }
  return isConfirmed
}
