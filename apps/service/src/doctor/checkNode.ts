import type { ChainConfig } from '../config/Config.ts'
import { topics } from '../indexing/topics.ts'
import type { BlockHeader } from '../rpc/BlockHeader.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { TopicFilter } from '../rpc/TopicFilter.ts'
import { type Finding, findingsOf } from './Finding.ts'
import { sentenceOf } from './sentenceOf.ts'

/** Older heads are seen on chains that stopped, and on nodes that are behind. */
const oldHeadSeconds = 300
const zeroAddress = `0x${'0'.repeat(40)}`
const filter = new TopicFilter(Object.values(topics))

/**
 * Checks that a node can be indexed from: it is of the chain, up to date, and tells what is asked for.
 *
 * @param name what tells it in logs and metrics; its URL may hold a secret.
 */
export async function checkNode(
  chain: ChainConfig,
  endpoint: ChainConfig['rpcUrls'][number],
  name: string,
  now: Date,
): Promise<Finding[]> {
  const node = new ChainNode([endpoint])
  const { ok, warning, error } = findingsOf(`chain ${chain.id}, node ${name}`)
  let head: BlockHeader
  try {
    const chainId = await node.getChainId()
    if (chainId !== chain.id)
      return [error(`serves chain ${chainId}, not ${chain.id}: correct rpcUrls`)]
    head = await node.getHead()
  } catch (reason) {
    return [error(`does not answer (${sentenceOf(reason)}): check its URL and that it runs`)]
  }
  const age = Math.max(0, Math.round(now.getTime() / 1000 - head.time))
  const freshness =
    age > oldHeadSeconds
      ? warning(`is at block ${head.number}, ${age} seconds old: it may be behind`)
      : ok(`is at block ${head.number}, ${age} seconds old`)

  const receipts = async () => {
    if (await node.getReceiptLogs([head], filter)) return ok('has whole-block receipts')
    await node.withSenders(await node.getLogs(head.number, head.number, filter), [head])
    return warning('has no eth_getBlockReceipts: logs and senders are asked apart, which is slower')
  }
  const history = async () => {
    // Block 0 holds no transaction that could have been dropped.
    const number = Math.max(1, chain.startBlock)
    if (head.number < number) return ok(`has not come to block ${number} yet, the first to index`)
    const first = await node.findHeader(number)
    if (!first) return error(`has no block ${number}, the first to index: use one with all blocks`)
    const logs = await node.getReceiptLogs([first], filter)
    if (!logs) await node.getLogs(number, number, filter)
    return ok(`tells logs from block ${number} on`)
  }
  const state = async () => {
    await node.getNativeBalance(zeroAddress, head)
    return ok('tells balances at its newest block')
  }
  const attempt = async (what: string, check: () => Promise<Finding>, wayOut: string) => {
    try {
      return await check()
    } catch (reason) {
      return error(`does not tell ${what} (${sentenceOf(reason)}): ${wayOut}`)
    }
  }
  return [
    freshness,
    await attempt('logs of its newest block', receipts, 'use one that does'),
    await attempt('logs of the first block to index', history, 'use one with all receipts'),
    await attempt('balances at its newest block', state, 'use one with the newest state'),
  ]
}
