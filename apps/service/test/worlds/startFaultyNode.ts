import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { SeededRandom } from '@headwater/devnet'

interface Question {
  readonly id: number
  readonly method: string
  readonly params: unknown[]
}

interface Answer {
  readonly id: number
  result?: unknown
}

/** A way in which a node fails. */
type Fault = 'drop' | 'busy' | 'empty' | 'stale' | 'cut' | 'missing' | 'refuse'

const faults: readonly Fault[] = ['drop', 'busy', 'empty', 'stale', 'cut', 'missing', 'refuse']

/**
 * Stands between the service and a node, and fails as nodes do: drops connections, says that it is busy, tells no logs
 * where there are some, tells of an older head, cuts answers off, does not know blocks, refuses.
 */
export async function startFaultyNode(node: string, random: SeededRandom) {
  const faulty = {
    url: '',
    /** How many of 100 requests fail. */
    percent: 0,
    /** How often each fault was dealt out. */
    dealt: new Map<Fault, number>(),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  const answer = async (body: string, response: ServerResponse) => {
    const fault = random.chance(faulty.percent) ? random.pick(faults) : undefined
    if (fault) {
      faulty.dealt.set(fault, (faulty.dealt.get(fault) ?? 0) + 1)
    }
    const headers = { 'content-type': 'application/json' }
    if (fault === 'drop') {
      return response.destroy()
    }
    if (fault === 'busy') {
      return response.writeHead(429, { 'retry-after': '0' }).end()
    }
    const asked = JSON.parse(body) as Question | Question[]
    const questions = Array.isArray(asked) ? asked : [asked]
    if (fault === 'refuse') {
      const error = { code: -32_005, message: 'limit exceeded' }
      const errors = questions.map(({ id }) => ({ jsonrpc: '2.0', id, error }))
      return response
        .writeHead(200, headers)
        .end(JSON.stringify(Array.isArray(asked) ? errors : errors[0]))
    }
    if (fault === 'stale') {
      for (const { params } of questions) {
        if (params[0] === 'latest') {
          params[0] = await olderThanHead(node, random.integer(1, 12))
        }
      }
    }
    const method = 'POST'
    const truth = await fetch(node, { method, headers, body: JSON.stringify(asked) })
    let told = await truth.text()
    if (fault === 'empty' || fault === 'missing') {
      const answers = JSON.parse(told) as Answer | Answer[]
      const byId = new Map(questions.map((question) => [question.id, question]))
      for (const each of Array.isArray(answers) ? answers : [answers]) {
        distort(each, fault, byId.get(each.id)?.method ?? '')
      }
      told = JSON.stringify(answers)
    }
    response.writeHead(200, headers)
    response.end(fault === 'cut' ? told.slice(0, Math.floor(told.length / 2)) : told)
  }
  const server = createServer((request, response) => {
    text(request)
      .then((body) => answer(body, response))
      .catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  faulty.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return faulty
}

function distort(answer: Answer, fault: 'empty' | 'missing', method: string): void {
  if (fault === 'missing') {
    answer.result = null
    return
  }
  if (method === 'eth_getLogs') {
    answer.result = []
  }
  if (method === 'eth_getBlockReceipts' && Array.isArray(answer.result)) {
    answer.result = answer.result.map((receipt: object) => ({ ...receipt, logs: [] }))
  }
}

async function olderThanHead(node: string, blocks: number): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(node, { method: 'POST', headers, body })
  const { result } = (await response.json()) as { result: string }
  return `0x${Math.max(0, Number(result) - blocks).toString(16)}`
}
