import type { ChainConfig } from '../config/Config.ts'
import { formatReason } from '../formatReason.ts'
import { allTopics, topics } from '../indexing/decode/topics.ts'
import { zeroAddress } from '../indexing/decode/words.ts'
import { fetchBlocks } from '../indexing/fetch/fetchBlocks.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockHeader } from '../rpc/methods/BlockHeader.ts'
import { balanceOfCall } from '../rpc/methods/Call.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { formatLimits } from '../rpc/transport/NodeLimits.ts'
import { TopicFilter } from '../rpc/verify/TopicFilter.ts'
import { waitAtMost } from '../waitAtMost.ts'
import { type CheckResult, createResults } from './CheckResult.ts'

const defaultTimeouts = {
  /** For the first responses, which every node gives at once, and without which nothing else is checked. */
  firstMs: 10_000,
  /** For a check, some of which send several requests that take a node a while. */
  checkMs: 30_000,
}
/** An older head means that the chain stopped or the node is behind. */
const oldHeadSeconds = 300
/** Blocks between the first to index and the latest whose logs are verified. */
const maxSamples = 10
/** Blocks of the search and of the state by which limits are found. */
const probedBlocks = 10_000
/** No transfer has it as its recipient, so that the response is small. */
const unusedTopic = `0x${'5'.repeat(64)}`
const filter = new TopicFilter(allTopics)

/** A node that serves the chain, and its latest block. */
interface CheckedNode {
  readonly chain: ChainConfig
  readonly node: ChainNode
  readonly head: BlockHeader
  readonly results: ReturnType<typeof createResults>
}

/**
 * Checks that a node serves the chain, is up to date, and supports the requests that indexing needs.
 *
 * @param name - identifies it in logs and metrics; its URL may contain a secret.
 */
export async function checkNode(
  chain: ChainConfig,
  endpoint: ChainConfig['rpcUrls'][number],
  name: string,
  now: Date,
  { firstMs, checkMs } = defaultTimeouts,
): Promise<CheckResult[]> {
  const node = new ChainNode([endpoint])
  const results = createResults(`chain ${chain.id}, node ${name}`)
  let head: BlockHeader
  try {
    const chainId = await requireInTime(node.getChainId(), firstMs)
    if (chainId !== chain.id) {
      return [results.error(`serves chain ${chainId}, not ${chain.id}: correct rpcUrls`)]
    }
    head = await requireInTime(node.getHead(), firstMs)
  } catch (reason) {
    const text = formatReason(reason)
    return [results.error(`does not respond (${text}): check its URL and that it runs`)]
  }
  const checked = { chain, node, head, results }
  const attempt = async (
    what: string,
    check: (checked: CheckedNode) => Promise<CheckResult>,
    remedy: string,
  ) => {
    try {
      return await requireInTime(check(checked), checkMs)
    } catch (reason) {
      return results.error(`does not serve ${what} (${formatReason(reason)}): ${remedy}`)
    }
  }
  const ends = [
    await attempt('logs of its latest block', checkReceipts, 'use a node that does'),
    await attempt('logs of the first block to index', checkHistory, 'use a node with all receipts'),
  ]
  return [
    describeAge(checked, now),
    ...ends,
    // Those between would fail for the same reason, and take as long.
    ...(ends.some(({ level }) => level === 'error') ? [] : [await checkSamples(checked, checkMs)]),
    await attempt('balances at its latest block', checkState, 'use a node with the latest state'),
    await attempt('final blocks', checkHashes, 'use a node with all blocks'),
    await attempt('its final block', checkFinality, 'use a node with all blocks'),
    await attempt('past blocks', findLimits, 'use a node with all blocks'),
  ]
}

function describeAge({ head, results }: CheckedNode, now: Date): CheckResult {
  const age = Math.max(0, Math.round(now.getTime() / 1000 - head.time))
  const text = `is at block ${head.number} (${age} s old)`
  return age > oldHeadSeconds ? results.warning(`${text}: it may be behind`) : results.ok(text)
}

async function checkReceipts({ node, head, results }: CheckedNode): Promise<CheckResult> {
  if (await node.getReceiptLogs([head], { filter, isFinalized: false })) {
    return results.ok('has whole-block receipts')
  }
  await node.withSenders(await node.getLogs([head], { filter, isFinalized: false }), [head])
  return results.warning(
    'has no eth_getBlockReceipts: logs and senders are fetched separately, which is slower',
  )
}

async function checkHistory({ chain, node, head, results }: CheckedNode): Promise<CheckResult> {
  const number = getFirstBlock(chain)
  if (head.number < number) {
    return results.warning(
      `has not reached block ${number}, the first to index: wait until it does, or correct startBlock`,
    )
  }
  const first = await node.getHeader(number)
  if (!first) {
    return results.error(`has no block ${number}, the first to index: use a node with all blocks`)
  }
  const logs = await node.getReceiptLogs([first], { filter, isFinalized: true })
  if (!logs) {
    await node.getLogs([first], { filter, isFinalized: true })
  }
  return results.ok(`serves logs from block ${number} on`)
}

/** The first block to index, except for block 0, which has no receipts that could be pruned. */
function getFirstBlock({ startBlock }: ChainConfig): number {
  return Math.max(1, startBlock)
}

/** Verifies blocks between the first one to index and the latest. */
async function checkSamples(
  { chain, node, head, results }: CheckedNode,
  timeoutMs: number,
): Promise<CheckResult> {
  const first = getFirstBlock(chain)
  const count = Math.min(maxSamples, Math.max(0, head.number - first))
  const deadline = AbortSignal.timeout(timeoutMs)
  let sampled = 0
  for (let index = 0; index < count; index++) {
    const to = head.number - Math.floor((index * (head.number - first)) / count)
    const range = { from: to - 1, to, parentHash: undefined, isFinalized: false }
    try {
      await fetchBlocks(node, range, deadline)
    } catch (reason) {
      if (deadline.aborted) {
        break
      }
      if (!(reason instanceof NodeError) || !reason.violation) {
        const text = formatReason(reason)
        return results.error(
          `does not serve logs of blocks ${range.from} and ${to} (${text}): use a node with all receipts`,
        )
      }
    }
    sampled++
  }
  const violations = [...(node.stats()[0]?.violations ?? [])]
    .map(([kind, times]) => `${kind} ${times}`)
    .join(', ')
  if (violations) {
    return results.error(
      `contradicts the headers of its own blocks (${violations}): use another node`,
    )
  }
  return sampled < count
    ? results.warning(
        `returned ${sampled} of ${count} sampled blocks within ${timeoutMs / 1000} s: use a faster node`,
      )
    : results.ok(`has logs that match the headers of ${count} sampled blocks`)
}

async function checkState({ node, head, results }: CheckedNode): Promise<CheckResult> {
  await node.getNativeBalance(zeroAddress, head)
  return results.ok('serves balances at its latest block')
}

async function checkHashes({ chain, node, head, results }: CheckedNode): Promise<CheckResult> {
  const finalizedBlock = Math.max(1, head.number - chain.finalityDepth)
  const { headers, receipts } = await node.detectHashes(finalizedBlock)
  const text = `block hashes are ${formatSupport(headers)}, receipts roots are ${formatSupport(receipts)}`
  return receipts === false && chain.verify === 'receipts'
    ? results.warning(`${text}: verify "receipts" has no effect`)
    : results.ok(text)
}

async function checkFinality({ chain, node, head, results }: CheckedNode): Promise<CheckResult> {
  const { finality, finalityDepth, undoDepth } = chain
  const tagged = finality === 'depth' ? undefined : await node.getTaggedBlock(finality)
  if (tagged === undefined) {
    return results.ok(
      `blocks are final ${finalityDepth} below the head, as it reports no final block`,
    )
  }
  const depth = head.number - tagged
  const text = `reports blocks as ${finality}, at present ${depth} below its head`
  return depth > undoDepth
    ? results.warning(
        `${text}: they are final ${undoDepth} below it, the undoDepth; set a larger one`,
      )
    : results.ok(text)
}

async function findLimits({ node, head, results }: CheckedNode): Promise<CheckResult> {
  const depth = Math.min(probedBlocks, head.number - 1)
  const from = Math.max(0, head.number - probedBlocks + 1)
  const past = depth > 0 ? await node.getHeader(head.number - depth) : undefined
  const transfers = [[topics.transfer], null, [unusedTopic]]
  // Failures show limits, too.
  await node.getNewestLogs([transfers], { from, to: head.number }).catch(() => {})
  if (past) {
    await node.multicall([balanceOfCall(zeroAddress, zeroAddress)], past, { depth })
  }
  const [found] = node.limits()
  const text = found && formatLimits(found.limits)
  return results.ok(text === undefined ? 'has no limits that were found' : `limits: ${text}`)
}

/** @throws {Error} when a node takes longer; what it is still sent ends with the process. */
async function requireInTime<Result extends object | number>(
  response: Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  const result = await waitAtMost(response, timeoutMs)
  if (result === undefined) {
    throw new Error(`no response within ${timeoutMs / 1000} s`)
  }
  return result
}

function formatSupport(isSupported: boolean | undefined): string {
  return isSupported === undefined ? 'not known yet' : isSupported ? 'verifiable' : 'not verifiable'
}
