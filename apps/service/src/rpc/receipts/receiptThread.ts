// A worker thread that parses and verifies responses with receipts, one after another.
import { parentPort } from 'node:worker_threads'
import { parseReceipts, verifyReceiptsOf } from '../methods/parseReceipts.ts'
import { parseResponses } from '../transport/parseResponses.ts'
import { TopicFilter } from '../verify/TopicFilter.ts'
import { LogPacker, type PackedLogs } from './packLogs.ts'
import type { ReceiptsRequest, ReceiptsResponse } from './receiptMessages.ts'

let filter = new TopicFilter([])
let topicsOfFilter = ''

parentPort?.on('message', (request: ReceiptsRequest) => {
  const logs = parseLogs(request)
  if (logs) {
    const response: ReceiptsResponse = { logs }
    parentPort?.postMessage(response, [logs.numbers.buffer])
  } else {
    const response: ReceiptsResponse = { body: request.body }
    parentPort?.postMessage(response, [request.body.buffer])
  }
})

/** @returns the matching logs of each block; undefined unless all receipts are valid. */
function parseLogs({
  body,
  firstId,
  blocks,
  topics,
  verifiesRoots,
}: ReceiptsRequest): PackedLogs | undefined {
  const text = topics.join()
  if (text !== topicsOfFilter) {
    filter = new TopicFilter(topics)
    topicsOfFilter = text
  }
  const requests = blocks.map(() => ({ method: 'eth_getBlockReceipts', params: [] }))
  const packer = new LogPacker(filter)
  try {
    const http = { status: 200, body: Buffer.from(body.buffer), retryAfterMs: undefined }
    const responses = parseResponses(http, requests, firstId, (message) => message)
    for (const [index, block] of blocks.entries()) {
      const response = responses[index]
      const receipts = response?.error ? undefined : parseReceipts(response?.result)
      if (!receipts || verifyReceiptsOf(block, receipts, verifiesRoots)) {
        return undefined
      }
      packer.addBlock(receipts)
    }
  } catch {
    return undefined
  }
  return packer.packed
}
