import { Semaphore } from '../../queues/Semaphore.ts'
import { traceCall } from '../../tracing.ts'
import { type Deadline, getPriority } from './Deadline.ts'
import { NodeCapabilities } from './NodeCapabilities.ts'
import { type NodeAddress, type NodeEndpoint, parseEndpoint } from './NodeEndpoint.ts'
import { NodeError } from './NodeError.ts'
import type { NodeLimits } from './NodeLimits.ts'
import { isBatchFailure, isBatchLimit } from './nodeMessages.ts'
import { NodeStatistics } from './NodeStatistics.ts'
import { getResult, parseResponses, type RpcRequest, type RpcResponse } from './parseResponses.ts'
import { type HttpResponse, postJson } from './postJson.ts'
import { RateLimit } from './RateLimit.ts'
import { SlowStart } from './SlowStart.ts'

const maxConcurrentBatches = 8

const kilobyte = 1024
const megabyte = 1024 * kilobyte
/** Larger HTTP responses are never read. */
const maxResponseBytes = 256 * megabyte
/** JSON around the results, or an error page instead of them. */
const envelopeBytes = 64 * kilobyte
/** Limits per result, by method. The other methods return whole blocks, which have no useful bound. */
const maxResultBytes: Readonly<Record<string, number>> = {
  eth_chainId: kilobyte,
  eth_getBalance: kilobyte,
  // An NFT's metadata document embedded in its URI.
  eth_call: 8 * megabyte,
}

/**
 * The id of the next request. Ids are not used again, so that a response which a proxy returns for another request of this process is
 * not accepted.
 */
let nextId = 0

/** JSON-RPC over HTTP to one node: respects its limits and discovers the batch size that it accepts. */
export class NodeConnection {
  readonly statistics: NodeStatistics
  readonly capabilities = new NodeCapabilities()
  readonly #address: NodeAddress
  readonly #rateLimit: RateLimit
  readonly #slowStart: SlowStart
  readonly #batches = new Semaphore(maxConcurrentBatches)

  /** @param name - identifies the node in logs and metrics. */
  constructor(endpoint: NodeEndpoint, name: string) {
    this.statistics = new NodeStatistics(name)
    this.#address = parseEndpoint(endpoint)
    this.#rateLimit = new RateLimit(endpoint.requestsPerSecond ?? Infinity)
    this.#slowStart = new SlowStart(this.#rateLimit)
    if (endpoint.blockReceipts === false) {
      this.capabilities.unsupportedMethods.add('eth_getBlockReceipts', true)
    }
  }

  /** Identifies the node in the store without its URL, which may hold a secret. */
  get key(): string {
    return this.#address.key
  }

  /** What the node was found to accept. */
  get limits(): NodeLimits {
    const { learnedPerSecond } = this.#rateLimit
    return {
      ...this.capabilities.limits,
      ...(learnedPerSecond < Infinity && { requestsPerSecond: Math.round(learnedPerSecond) }),
    }
  }

  /** Starts with limits that were found before. */
  restoreLimits(limits: NodeLimits): void {
    this.capabilities.restore(limits)
    this.#rateLimit.restore(limits.requestsPerSecond ?? Infinity)
  }

  /** @throws {NodeError} when the request fails; or the signal's reason. */
  async request(method: string, params: readonly unknown[], deadline?: Deadline): Promise<unknown> {
    const [response] = await this.#post([{ method, params }], false, deadline)
    return getResult(response)
  }

  /**
   * Sends many requests in few batches.
   *
   * @returns the responses in the order of the requests, each of which may be an error.
   * @throws {NodeError} when a whole batch fails; or the signal's reason.
   */
  async requestMany(requests: readonly RpcRequest[], deadline?: Deadline): Promise<RpcResponse[]> {
    const size = this.#getBatchSize(deadline)
    const batches: RpcRequest[][] = []
    for (let start = 0; start < requests.length; start += size) {
      batches.push(requests.slice(start, start + size))
    }
    const responses = await Promise.all(batches.map((batch) => this.#sendBatch(batch, deadline)))
    return responses.flat()
  }

  async #sendBatch(batch: RpcRequest[], deadline?: Deadline): Promise<RpcResponse[]> {
    const size = this.#getBatchSize(deadline)
    if (batch.length > size) {
      return await this.requestMany(batch, deadline)
    }
    try {
      const post = () => this.#post(batch, size > 1, deadline)
      // Requests of clients do not wait for those of the index.
      const isUrgent = getPriority(deadline ?? {}) !== 'index'
      return await (isUrgent ? post() : this.#batches.run(post, deadline?.signal))
    } catch (error) {
      if (!(error instanceof NodeError)) {
        throw error
      }
      if (error.kind === 'too-large' && batch.every(({ maxBytes }) => maxBytes)) {
        // Isolates the requests with oversized responses, so that only these fail.
        return batch.length === 1 ? [{ error }] : await this.#sendHalves(batch, deadline)
      }
      if (size > 1 && isBatchLimit(error.message)) {
        // Of one request, an array is not accepted.
        const halved = Math.max(1, batch.length >> 1)
        this.capabilities.batchSize = Math.min(this.capabilities.batchSize, halved)
        return await this.requestMany(batch, deadline)
      }
      if (batch.length > 1 && error.kind === 'rejected' && isBatchFailure(error.message)) {
        return await this.#sendHalves(batch, deadline)
      }
      throw error
    }
  }

  /** No more than the rate admits at once. */
  #getBatchSize(deadline?: Deadline): number {
    const { maxBurst } = this.#rateLimit
    const { batchSize } = this.capabilities
    return Math.min(batchSize, maxBurst, this.#slowStart.getMaxBatch(deadline))
  }

  async #sendHalves(batch: RpcRequest[], deadline?: Deadline): Promise<RpcResponse[]> {
    const middle = batch.length >> 1
    const halves = [batch.slice(0, middle), batch.slice(middle)]
    return (await Promise.all(halves.map((half) => this.#sendBatch(half, deadline)))).flat()
  }

  /** Sends one HTTP request. */
  async #post(requests: readonly RpcRequest[], isBatch: boolean, deadline: Deadline = {}) {
    const send = async () => {
      await this.#rateLimit.acquire(requests.length, deadline)
      return await this.#send(requests, isBatch, deadline)
    }
    return await this.#slowStart.run(requests.length, deadline, send)
  }

  async #send(requests: readonly RpcRequest[], isBatch: boolean, { signal }: Deadline) {
    const firstId = nextId
    nextId += requests.length
    const messages = requests.map(({ method, params }, index) => ({
      jsonrpc: '2.0',
      id: firstId + index,
      method,
      params,
    }))
    const startedAt = performance.now()
    const recordRoundTrip = () =>
      this.statistics.recordRoundTrip(requests.length, performance.now() - startedAt)
    try {
      const { url, headers } = this.#address
      const body = JSON.stringify(isBatch ? messages : messages[0])
      const post = () => postJson({ url, headers, body, maxBytes: getMaxBytes(requests) }, signal)
      const attributes = {
        'server.address': url.hostname,
        'headwater.requests': requests.length,
      }
      const http = await traceCall(requests[0]?.method ?? '', attributes, post)
      const responses = await this.#parse(http, requests, firstId)
      recordRoundTrip()
      for (const { error } of responses) {
        this.#recordResponse(1, error)
      }
      return responses
    } catch (error) {
      if (!(error instanceof NodeError)) {
        throw error
      }
      recordRoundTrip()
      this.#recordResponse(requests.length, error)
      throw error.withPrefix(requests[0]?.method ?? '')
    }
  }

  async #parse(
    http: HttpResponse,
    requests: readonly RpcRequest[],
    firstId: number,
  ): Promise<RpcResponse[]> {
    // Errors of any kind are parsed here.
    const parseBody = http.status === 200 ? requests[0]?.parseBody : undefined
    const parsed = parseBody ? await parseBody(http.body, requests, firstId) : http
    if ('results' in parsed) {
      return parsed.results.map((result) => ({ result }))
    }
    const { buffer, byteOffset, byteLength } = parsed.body
    const body = Buffer.from(buffer, byteOffset, byteLength)
    return parseResponses({ ...http, body }, requests, firstId, this.#address.redact)
  }

  #recordResponse(count: number, error: NodeError | undefined): void {
    if (error) {
      this.statistics.recordFailure(error.kind)
    }
    if (error?.kind === 'rate-limit') {
      this.#rateLimit.recordRejected(count, error.retryAfterMs)
      this.#slowStart.recordRejected()
    } else {
      this.#rateLimit.recordAccepted(count)
    }
  }
}

/** How many bytes of the HTTP response to these requests are read. */
function getMaxBytes(requests: readonly RpcRequest[]): number {
  const bytes = requests.map(
    ({ method, maxBytes }) => maxBytes ?? maxResultBytes[method] ?? maxResponseBytes,
  )
  return Math.min(
    maxResponseBytes,
    bytes.reduce((sum, each) => sum + each, envelopeBytes),
  )
}
