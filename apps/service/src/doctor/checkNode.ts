import type { ChainConfig } from '../config/Config.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { TopicFilter } from '../rpc/TopicFilter.ts'
import { type Finding, findingsOf } from './Finding.ts'
import { sentenceOf } from './sentenceOf.ts'

/** Older heads are seen on chains that stopped, and on nodes that are behind. */
const oldHeadSeconds = 300
const zeroAddress = `0x${'0'.repeat(40)}`

/** Checks that a node can be indexed from: it is of the chain, up to date, and tells what is asked for. */
export async function checkNode(
  chain: ChainConfig,
  endpoint: ChainConfig['rpcUrls'][number],
  now: Date,
): Promise<Finding[]> {
  const node = new ChainNode([endpoint])
  const { name } = node.stats()[0] ?? { name: 'node' }
  const { ok, warning, error } = findingsOf(`chain ${chain.id}, node ${name}`)
  const findings: Finding[] = []
  try {
    const chainId = await node.getChainId()
    if (chainId !== chain.id)
      return [error(`serves chain ${chainId}, not ${chain.id}: correct rpcUrls`)]
    const head = await node.getHead()
    const age = Math.round(now.getTime() / 1000 - head.time)
    findings.push(
      age > oldHeadSeconds
        ? warning(`is at block ${head.number}, ${age} seconds old: it may be behind`)
        : ok(`is at block ${head.number}, ${Math.max(0, age)} seconds old`),
    )
    const first = await node.findHeader(chain.startBlock)
    if (!first && head.number >= chain.startBlock)
      findings.push(
        error(`has no block ${chain.startBlock} to start from: it is pruned; use a full node`),
      )
  } catch (reason) {
    return [...findings, error(`does not answer (${sentenceOf(reason)}): check its URL`)]
  }
  return [...findings, ...(await checkMethods(node, `chain ${chain.id}, node ${name}`))]
}

async function checkMethods(node: ChainNode, subject: string): Promise<Finding[]> {
  const { ok, warning, error } = findingsOf(subject)
  const findings: Finding[] = []
  const head = await node.getHead()
  try {
    const logs = await node.getReceiptLogs([head], new TopicFilter([]))
    findings.push(
      logs
        ? ok('has whole-block receipts')
        : warning('has no eth_getBlockReceipts: logs and senders are asked apart, which is slower'),
    )
  } catch (reason) {
    findings.push(error(`does not tell receipts (${sentenceOf(reason)})`))
  }
  try {
    await node.getNativeBalance(zeroAddress, head)
    findings.push(ok('tells balances at its newest block'))
  } catch (reason) {
    findings.push(error(`does not tell balances at its newest block (${sentenceOf(reason)})`))
  }
  return findings
}
