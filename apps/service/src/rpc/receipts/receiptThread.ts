// A worker thread that parses and verifies responses with receipts, one after another.
import { parentPort } from 'node:worker_threads'
import type { Log } from '../methods/Log.ts'
import { parseMatchingLogs, parseReceipts, verifyReceiptsOf } from '../methods/parseReceipts.ts'
import { parseResponses } from '../transport/parseResponses.ts'
import { TopicFilter } from '../verify/TopicFilter.ts'
import { packLogs } from './packLogs.ts'
import type { ReceiptsRequest, ReceiptsResponse } from './receiptMessages.ts'

let filter = new TopicFilter([])
let topicsOfFilter = ''

parentPort?.on('message', (request: ReceiptsRequest) => {
  const logs = parseLogs(request)
  if (logs) {
    const packed = packLogs(logs)
    const response: ReceiptsResponse = { logs: packed }
    parentPort?.postMessage(response, [packed.numbers.buffer])
  } else {
    const response: ReceiptsResponse = { body: request.body }
    parentPort?.postMessage(response, [request.body.buffer])
  }
})

/** @returns the matching logs of each block; undefined unless all receipts are valid. */
function parseLogs({ body, blocks, topics, verifiesRoots }: ReceiptsRequest) {
  const text = topics.join()
  if (text !== topicsOfFilter) {
    filter = new TopicFilter(topics)
    topicsOfFilter = text
  }
  const requests = blocks.map(() => ({ method: 'eth_getBlockReceipts', params: [] }))
  const found: Log[][] = []
  try {
    const http = { status: 200, body: Buffer.from(body.buffer), retryAfterMs: undefined }
    const responses = parseResponses(http, requests, (message) => message)
    for (const [index, block] of blocks.entries()) {
      const response = responses[index]
      const receipts = response?.error ? undefined : parseReceipts(response?.result)
      if (!receipts || verifyReceiptsOf(block, receipts, verifiesRoots)) {
        return undefined
      }
      found.push(parseMatchingLogs(receipts, block, filter))
    }
  } catch {
    return undefined
  }
  return found
}
