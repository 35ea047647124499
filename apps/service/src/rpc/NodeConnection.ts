import { createRedactor } from './createRedactor.ts'
import { maximumBytesOf } from './maximumBytesOf.ts'
import { type NodeEndpoint, parseUrl } from './NodeEndpoint.ts'
import { NodeError } from './NodeError.ts'
import { NodeStatistics } from './NodeStatistics.ts'
import type { Waiting } from './Patience.ts'
import { postJson } from './postJson.ts'
import { RateLimit } from './RateLimit.ts'
import type { Answer, Question } from './Question.ts'
import { readAnswers } from './readAnswers.ts'
import { Slots } from '../queues/Slots.ts'

/** Questions that travel in one request; hosted nodes commonly refuse more. */
const maximumBatch = 100
/** Batches under way at once. */
const maximumBatches = 8

/** One node over HTTP: asks within its limits, and finds how many questions it takes at once. */
export class NodeConnection {
  readonly statistics: NodeStatistics
  /** Methods that it does not have. */
  readonly lacks = new Set<string>()
  /** Whether it takes a block's hash where it takes a block for receipts; undefined until it was asked. */
  takesReceiptsByHash: boolean | undefined
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  /** Takes what may be a secret out of a node's own words. */
  readonly #redacted: (text: string) => string
  readonly #rateLimit: RateLimit
  readonly #slots = new Slots(maximumBatches)
  #batchSize: number

  /** @param name tells the node in logs and metrics. */
  constructor(endpoint: NodeEndpoint, name: string) {
    const url = parseUrl(endpoint)
    const { username, password } = url
    url.username = url.password = ''
    this.#url = url
    const basic = [username, password].map(decodeURIComponent).join(':')
    this.#headers =
      basic === ':' ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }
    this.#redacted = createRedactor(endpoint.url)
    this.#rateLimit = new RateLimit(endpoint.requestsPerSecond ?? Infinity)
    this.#batchSize = Math.min(maximumBatch, this.#rateLimit.largest)
    if (endpoint.blockReceipts === false) this.lacks.add('eth_getBlockReceipts')
    this.statistics = new NodeStatistics(name)
  }

  /** Asks one question. Rejects with a {@link NodeError}, or the signal's reason. */
  async ask(method: string, params: readonly unknown[], waiting?: Waiting): Promise<unknown> {
    const [answer] = await this.#post([{ method, params }], false, waiting)
    if (!answer || answer.error) throw answer?.error ?? noAnswer(method)
    return answer.result
  }

  /**
   * Asks many questions in few requests. Each may be answered by an error of its own; it rejects when a whole request
   * fails.
   */
  async askMany(questions: readonly Question[], waiting?: Waiting): Promise<Answer[]> {
    const size = this.#batchSize
    const batches: Question[][] = []
    for (let at = 0; at < questions.length; at += size) batches.push(questions.slice(at, at + size))
    const answers = await Promise.all(batches.map((batch) => this.#askBatch(batch, waiting)))
    return answers.flat()
  }

  async #askBatch(batch: Question[], waiting?: Waiting): Promise<Answer[]> {
    const size = this.#batchSize
    if (batch.length > size) return await this.askMany(batch, waiting)
    try {
      return await this.#slots.run(() => this.#post(batch, size > 1, waiting), waiting?.signal)
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      if (error.kind === 'too-large' && batch.every(({ maximumBytes }) => maximumBytes))
        return await this.#askHalves(batch, error, waiting)
      if (size === 1 || !/batch/i.test(error.message)) throw error
      // Batches under way at the same time come here too, the first one halves.
      if (this.#batchSize === size) this.#batchSize = size >> 1
      return await this.askMany(batch, waiting)
    }
  }

  /** Finds which of small questions is answered too much, and has the others answered. */
  async #askHalves(batch: Question[], error: NodeError, waiting?: Waiting): Promise<Answer[]> {
    if (batch.length === 1) return [{ error }]
    const middle = batch.length >> 1
    const halves = [batch.slice(0, middle), batch.slice(middle)]
    return (await Promise.all(halves.map((half) => this.#askBatch(half, waiting)))).flat()
  }

  /** Sends one request. */
  async #post(questions: readonly Question[], isBatch: boolean, waiting?: Waiting) {
    await this.#rateLimit.take(questions.length, waiting)
    const bodies = questions.map(({ method, params }, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }))
    const startedAt = performance.now()
    const label = questions[0]?.method ?? ''
    try {
      const body = JSON.stringify(isBatch ? bodies : bodies[0])
      const http = await postJson(
        { url: this.#url, headers: this.#headers, body, maximumBytes: maximumBytesOf(questions) },
        waiting?.signal,
      )
      const answers = readAnswers(http, questions, this.#redacted)
      this.statistics.asked(questions.length, performance.now() - startedAt)
      for (const { error } of answers) if (error) this.statistics.failed(error.kind)
      return answers
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      this.statistics.asked(questions.length, performance.now() - startedAt)
      this.statistics.failed(error.kind)
      throw error.about(label)
    }
  }
}

function noAnswer(method: string): NodeError {
  return new NodeError(`${method}: no answer`, { kind: 'malformed' })
}
