import type { ChainConfig } from '../config/Config.ts'
import { topics } from '../indexing/decode/topics.ts'
import { zeroAddress } from '../indexing/decode/words.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockHeader } from '../rpc/methods/BlockHeader.ts'
import { TopicFilter } from '../rpc/verify/TopicFilter.ts'
import { type CheckResult, resultsOf } from './CheckResult.ts'
import { formatMessage } from './formatMessage.ts'

/** Older heads are seen on chains that stopped, and on nodes that are behind. */
const oldHeadSeconds = 300
const filter = new TopicFilter(Object.values(topics))

/**
 * Checks that a node can be indexed from: it is of the chain, up to date, and tells what is asked for.
 *
 * @param name - what tells it in logs and metrics; its URL may hold a secret.
 */
export async function checkNode(
  chain: ChainConfig,
  endpoint: ChainConfig['rpcUrls'][number],
  name: string,
  now: Date,
): Promise<CheckResult[]> {
  const node = new ChainNode([endpoint])
  const { ok, warning, error } = resultsOf(`chain ${chain.id}, node ${name}`)
  let head: BlockHeader
  try {
    const chainId = await node.getChainId()
    if (chainId !== chain.id) {
      return [error(`serves chain ${chainId}, not ${chain.id}: correct rpcUrls`)]
    }
    head = await node.getHead()
  } catch (reason) {
    return [error(`does not answer (${formatMessage(reason)}): check its URL and that it runs`)]
  }
  const age = Math.max(0, Math.round(now.getTime() / 1000 - head.time))
  const freshness =
    age > oldHeadSeconds
      ? warning(`is at block ${head.number}, ${age} seconds old: it may be behind`)
      : ok(`is at block ${head.number}, ${age} seconds old`)

  const receipts = async () => {
    if (await node.getReceiptLogs([head], filter)) {
      return ok('has whole-block receipts')
    }
    await node.withSenders(await node.getLogs(head.number, head.number, filter), [head])
    return warning('has no eth_getBlockReceipts: logs and senders are asked apart, which is slower')
  }
  const history = async () => {
    // Block 0 holds no transaction that could have been dropped.
    const number = Math.max(1, chain.startBlock)
    if (head.number < number) {
      return ok(`has not come to block ${number} yet, the first to index`)
    }
    const first = await node.getHeader(number)
    if (!first) {
      return error(`has no block ${number}, the first to index: use one with all blocks`)
    }
    const logs = await node.getReceiptLogs([first], filter)
    if (!logs) {
      await node.getLogs(number, number, filter)
    }
    return ok(`tells logs from block ${number} on`)
  }
  const state = async () => {
    await node.getNativeBalance(zeroAddress, head)
    return ok('tells balances at its newest block')
  }
  const attempt = async (what: string, check: () => Promise<CheckResult>, wayOut: string) => {
    try {
      return await check()
    } catch (reason) {
      return error(`does not tell ${what} (${formatMessage(reason)}): ${wayOut}`)
    }
  }
  return [
    freshness,
    await attempt('logs of its newest block', receipts, 'use one that does'),
    await attempt('logs of the first block to index', history, 'use one with all receipts'),
    await attempt('balances at its newest block', state, 'use one with the newest state'),
  ]
}
