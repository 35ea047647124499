import { waitAtMost } from '../../waitAtMost.ts'
import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { NodeError } from '../transport/NodeError.ts'
import type { NodePool } from '../transport/NodePool.ts'
import type { RpcResponse } from '../transport/parseResponses.ts'
import { decodeAggregate, encodeAggregate, groupCalls } from './aggregateCalls.ts'
import { invalidParameters } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import type { Call, CallResult } from './Call.ts'
import type { TopicLogs } from './getNewestLogs.ts'
import { multicall, type MulticallOptions } from './multicall.ts'
import { createSearchRequest, type LogBlocks, type LogTopics, readLogs } from './requestLogs.ts'
import { aggregation } from './runAggregated.ts'

/** A search for logs with one of several lists of topics. */
export interface Search {
  readonly filters: readonly LogTopics[]
  readonly range: LogBlocks
}

/** What is read at a block. */
export interface Reads {
  readonly calls: readonly Call[]
  /** In ranges that end with the block. */
  readonly searches: readonly Search[]
}

/** Calls and searches do not wait for each other. */
export interface ReadResults {
  /** Of each call, in their order. */
  readonly results: Promise<readonly CallResult[]>
  /** Of each search; undefined for those that are to be repeated alone. */
  readonly found: Promise<readonly (TopicLogs | undefined)[]>
}

interface Together {
  /** Undefined for calls that are to be executed alone. */
  readonly results: readonly (CallResult | undefined)[]
  readonly found: readonly (TopicLogs | undefined)[]
}

/** Among the unsupported methods of a node. */
const canonicalCall = 'eth_call with requireCanonical'

/**
 * Executes calls at a block, and searches logs up to that block in the same batch. A node that lacks the block, which would
 * return an empty list of logs, rejects the calls, so that no header is needed.
 */
export function callAndSearch(
  nodes: NodePool,
  { calls, searches }: Reads,
  block: BlockRef,
  options: MulticallOptions,
): ReadResults {
  const none = searches.map(() => undefined)
  const { timeoutMs, ...others } = options
  if (calls.length === 0 || searches.length === 0 || timeoutMs === undefined) {
    return {
      results: multicall(nodes, calls, block, options),
      found: Promise.resolve(none),
    }
  }
  const together = nodes
    .run((node, deadline) => readTogether(node, { calls, searches }, block, deadline), {
      timeoutMs,
    })
    .catch((error: unknown) => {
      if (error instanceof NodeError) {
        return undefined
      }
      throw error
    })
  return {
    results: takeResults(nodes, calls, block, { ...others, timeoutMs }, together),
    found: together.then((read) => read?.found ?? none),
  }
}

/**
 * The results of calls that are part of a batch, which a slow search delays: after half of the timeout, the calls are
 * executed alone as well. The batch continues, so that such a search is not repeated.
 */
async function takeResults(
  nodes: NodePool,
  calls: readonly Call[],
  block: BlockRef,
  { timeoutMs, ...options }: MulticallOptions & { readonly timeoutMs: number },
  together: Promise<Together | undefined>,
): Promise<readonly CallResult[]> {
  const endsAt = performance.now() + timeoutMs
  const read = await waitAtMost(together, timeoutMs / 2)
  const pending = calls.filter((_, index) => !read?.results[index])
  const alone = await multicall(nodes, pending, block, {
    // Calls that failed there are not aggregated again.
    ...(!read && options),
    timeoutMs: Math.max(1, endsAt - performance.now()),
  })
  const ofAlone = alone.values()
  const isFailed = alone.some(({ status }) => status === 'failed')
  const late = isFailed ? await together : undefined
  return calls.map((_, index) => {
    const result = read?.results[index] ?? ofAlone.next().value!
    return result.status === 'failed' ? (late?.results[index] ?? result) : result
  })
}

/** @returns undefined where the node does not accept calls like these. */
async function readTogether(
  node: NodeConnection,
  { calls, searches }: Reads,
  block: BlockRef,
  deadline: Deadline,
): Promise<Together | undefined> {
  const { capabilities } = node
  const { unsupportedMethods, logLimits, logRange, callsPerAggregate } = capabilities
  if (unsupportedMethods.has(aggregation) || unsupportedMethods.has(canonicalCall)) {
    return undefined
  }
  const groups = groupCalls(calls, 0, callsPerAggregate.max)
  // Otherwise the node may have the block, and return the logs of others that replaced it.
  const at = { blockHash: block.hash, requireCanonical: true }
  const accepted = searches.map(({ filters, range }) =>
    !logLimits.requiresAddress && range.to - range.from < logRange.blocks ? filters : [],
  )
  const responses = await node.requestMany(
    [
      // First, as nodes mostly execute a batch in its order.
      ...groups.map((group) => ({
        method: 'eth_call',
        params: [{ data: encodeAggregate(group) }, at],
      })),
      ...accepted.flatMap((filters, index) =>
        filters.map((topics) => createSearchRequest({ topics }, searches[index]!.range)),
      ),
    ],
    deadline,
  )
  const ofCalls = responses.slice(0, groups.length)
  if (ofCalls.some(({ error }) => error?.code === invalidParameters)) {
    unsupportedMethods.add(canonicalCall)
    return undefined
  }
  const results = groups.flatMap((group, index) => decodeAggregate(node, group, ofCalls[index]))
  capabilities.knownBlock = Math.max(capabilities.knownBlock, block.number)
  const ofSearches = responses.slice(groups.length)
  const found = accepted.map((filters, index) => {
    const ofSearch = ofSearches.splice(0, filters.length)
    return ofSearch.length === 0 ? undefined : toFound(ofSearch, searches[index]!.range)
  })
  return { results, found }
}

/** @returns undefined where the node rejects the search, which is repeated with a smaller range. */
function toFound(responses: readonly RpcResponse[], range: LogBlocks): TopicLogs | undefined {
  try {
    const logs = responses.flatMap((response) => readLogs(response, range))
    return { logs, from: range.from }
  } catch (error) {
    if (error instanceof NodeError) {
      return undefined
    }
    throw error
  }
}
