import type { FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import type { LogWithSender } from '../rpc/methods/Log.ts'
import { parseBytes } from '../rpc/methods/parseHex.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { postJson } from '../rpc/transport/postJson.ts'
import type { TopicFilter } from '../rpc/verify/TopicFilter.ts'
import type { BlockSource, SourceRange } from './BlockSource.ts'

const maxBytes = 512 * 1024 * 1024
/** HTTP statuses of a query that is rejected, also because its range is too large. */
const limitStatuses = new Set([400, 413, 422])

/** A line of a response: a block, and the logs and transactions that match the query. */
interface PortalBlock {
  readonly header: {
    readonly number: number
    readonly hash: string
    readonly parentHash: string
    readonly timestamp: number
  }
  readonly logs?: readonly {
    readonly logIndex: number
    readonly transactionIndex: number
    readonly address: string
    readonly topics: readonly string[]
    readonly data: string
  }[]
  readonly transactions?: readonly { readonly transactionIndex: number; readonly from: string }[]
}

/**
 * A dataset of an SQD portal, which streams blocks with matching logs as JSON lines.
 *
 * @see https://docs.sqd.dev/en/portal/evm/api
 */
export class PortalSource implements BlockSource {
  readonly name: string
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>

  /** @param url - of a dataset, such as `https://portal.sqd.dev/datasets/ethereum-mainnet`. */
  constructor(url: string) {
    this.#url = new URL(url)
    const { host, pathname, username, password } = this.#url
    this.name = `portal (${host})`
    this.#url.pathname = `${pathname.replace(/\/$/, '')}/finalized-stream`
    this.#url.username = this.#url.password = ''
    const basic = [username, password].map(decodeURIComponent).join(':')
    this.#headers =
      basic === ':' ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }
  }

  async fetch(
    { from, to }: SourceRange,
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    const blocks: FetchedBlocks['blocks'][number][] = []
    const logs: LogWithSender[] = []
    // A stream may end before the last block.
    for (let next = from; next <= to;) {
      for (const fetched of await this.#request({ from: next, to }, filter, signal)) {
        blocks.push(fetched.block)
        // Spread, the logs of a large block would be too many arguments.
        fetched.logs.forEach((log) => logs.push(log))
      }
      const last = blocks.at(-1)?.number
      if (last === undefined || last < next) {
        // It does not have the next blocks yet.
        break
      }
      next = last + 1
    }
    return { blocks, logs }
  }

  async #request(
    { from, to }: SourceRange,
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<ReturnType<typeof parseLine>[]> {
    const query = {
      type: 'evm',
      fromBlock: from,
      toBlock: to,
      includeAllBlocks: true,
      fields: {
        block: { number: true, hash: true, parentHash: true, timestamp: true },
        log: { logIndex: true, transactionIndex: true, address: true, topics: true, data: true },
        transaction: { transactionIndex: true, from: true },
      },
      logs: [{ topic0: filter.topics, transaction: true }],
    }
    const request = {
      url: this.#url,
      headers: this.#headers,
      body: JSON.stringify(query),
      maxBytes,
    }
    const { status, body, retryAfterMs } = await postJson(request, signal)
    if (status === 204) {
      return []
    }
    if (status !== 200) {
      throw new NodeError(`The source ${this.name} responded with HTTP status ${status}`, {
        kind: status === 429 ? 'rate-limit' : 'rejected',
        mayExceedLimit: limitStatuses.has(status),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      })
    }
    try {
      return body
        .toString()
        .split('\n')
        .filter((line) => line !== '')
        .map(parseLine)
    } catch (error) {
      throw new NodeError(
        `The source ${this.name} returned something else than blocks: ${(error as Error).message}`,
        { kind: 'malformed' },
      )
    }
  }
}

/** @throws {Error} for anything but a block. */
function parseLine(line: string) {
  const parsed = JSON.parse(line) as PortalBlock
  const block = toBlock(parsed)
  return { block, logs: toLogs(parsed, block) }
}

function toBlock({ header }: PortalBlock): FetchedBlocks['blocks'][number] {
  const { number, hash, parentHash, timestamp: time } = header
  return {
    number: parseInteger(number),
    time: parseInteger(time),
    hash: parseBytes(hash, 32),
    parentHash: parseBytes(parentHash, 32),
  }
}

function toLogs(
  { logs = [], transactions = [] }: PortalBlock,
  { number, hash }: FetchedBlocks['blocks'][number],
): LogWithSender[] {
  const senders = new Map(
    transactions.map(({ transactionIndex, from }) => [transactionIndex, from]),
  )
  return logs
    .map(({ logIndex, transactionIndex, address, topics, data }) => ({
      blockNumber: number,
      blockHash: hash,
      logIndex: parseInteger(logIndex),
      address: parseBytes(address, 20),
      topics: topics.map((topic) => parseBytes(topic, 32)),
      data: parseBytes(data),
      transactionFrom: parseBytes(senders.get(transactionIndex), 20),
    }))
    .sort((a, b) => a.logIndex - b.logIndex)
}

function parseInteger(value: unknown): number {
  if (!Number.isSafeInteger(value)) {
    throw new Error(`${JSON.stringify(value)} is not an integer`)
  }
  return value as number
}
