import type { BlockHeader } from './BlockHeader.ts'
import type { Log } from './Log.ts'
import type { NodeConnection } from './NodeConnection.ts'
import type { NodeError } from './NodeError.ts'
import type { Waiting } from './Patience.ts'
import { parseReceipts } from './parseReceipts.ts'
import type { TopicFilter } from './TopicFilter.ts'

const method = 'eth_getBlockReceipts'
/** JSON-RPC's codes for a method that does not exist or is not served. */
const unsupportedCodes = [-32601, -32004]

/**
 * Asks a node for the whole receipts of blocks and reads the wanted logs, in the chain's order.
 *
 * @returns undefined when the node has no such method, which is remembered.
 * @throws {NodeError} when the answer is none, or not the receipts of these very blocks.
 */
export async function askReceipts(
  node: NodeConnection,
  blocks: readonly BlockHeader[],
  filter: TopicFilter,
  waiting?: Waiting,
): Promise<Log[] | undefined> {
  if (node.lacks.has(method)) return undefined
  const ask = async (byHash: boolean) => {
    const name = ({ hash, number }: BlockHeader) => (byHash ? hash : `0x${number.toString(16)}`)
    const questions = blocks.map((block) => ({ method, params: [name(block)] }))
    return await node.askMany(questions, waiting)
  }
  let byHash = node.takesReceiptsByHash ?? true
  let answers = await ask(byHash)
  // Some nodes know receipts by number only. The examination of the hash makes that as safe.
  if (node.takesReceiptsByHash === undefined && answers.some(isRefusal)) {
    byHash = false
    answers = await ask(byHash)
  }
  const logs: Log[] = []
  for (const [index, block] of blocks.entries()) {
    const answer = answers[index]
    if (answer?.error && isUnsupported(answer.error)) {
      node.lacks.add(method)
      return undefined
    }
    if (answer?.error) throw answer.error
    for (const log of parseReceipts(answer?.result, block, filter)) logs.push(log)
  }
  node.takesReceiptsByHash ??= byHash
  return logs
}

function isRefusal({ error }: { readonly error?: NodeError | undefined }): boolean {
  return error?.kind === 'refused' && !isUnsupported(error)
}

function isUnsupported({ code, message }: NodeError): boolean {
  return (
    unsupportedCodes.includes(code ?? 0) ||
    /method.*(?:not (?:found|supported|available|allowed|enabled)|does not exist|unsupported)|(?:unsupported|unknown) method/i.test(
      message,
    )
  )
}
