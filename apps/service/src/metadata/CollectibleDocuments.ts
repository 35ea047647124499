import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { CollectibleAttribute } from '@headwater/contract'
import { createLruCache } from '../createLruCache.ts'
import type { ReadUri } from '../media/createUriReader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { bytesArray, numericArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { msPerMinute } from '../time.ts'
import { type CollectibleSource, fetchTokenUris } from './fetchTokenUris.ts'
import { type CollectibleOutcome, readDocument } from './readDocument.ts'
import { cleanUri } from './writeCollectibles.ts'

/** What the document of an NFT contains. */
export interface CollectibleDocument {
  readonly uri: string | null
  readonly name: string | null
  readonly description: string | null
  readonly attributes: readonly CollectibleAttribute[] | null
  readonly image: string | null
}

type Key = Pick<CollectibleSource, 'contract' | 'tokenId'>

/** NFTs in one request to the nodes. */
const batchSize = 48
/** NFTs that wait. The next response with another one requests it again. */
const maxWaiting = 5_000
/** A document that could not be read is requested again after this time at the earliest. */
const retryDelayMs = 10 * msPerMinute
const maxMissed = 20_000

interface Options {
  readonly chainId: number
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'multicall'>
  readonly readUri: ReadUri
  readonly logger: Pick<Logger, 'warn'>
}

/** Reads and stores the documents of NFTs that responses list while their chain is not indexed. */
export class CollectibleDocuments {
  readonly #options: Options
  readonly #waiting = new Map<string, CollectibleSource>()
  readonly #missed = createLruCache<string, true>(maxMissed, { ttl: retryDelayMs })
  readonly #ended = new AbortController()
  #reading: Promise<void> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The documents that were read, in the order of the NFTs. */
  async load(keys: readonly Key[]): Promise<(CollectibleDocument | undefined)[]> {
    if (keys.length === 0) {
      return []
    }
    const { db, chainId } = this.#options
    const { rows } = await sql<CollectibleDocument & { position: number }>`
      select position::int, uri, name, description, attributes, image
      from unnest(
        ${bytesArray(keys.map(({ contract }) => contract))},
        ${numericArray(keys.map(({ tokenId }) => tokenId))}
      ) with ordinality as listed (contract, token_id, position)
      join collectible_documents using (contract, token_id)
      where chain_id = ${chainId}::bigint`.execute(db)
    const byPosition = new Map(rows.map((row) => [row.position, row]))
    return keys.map((_, index) => byPosition.get(index + 1))
  }

  /** Reads documents without waiting for them. A block is one that has the contracts. */
  request(sources: readonly CollectibleSource[], block: BlockRef): void {
    for (const source of sources) {
      const key = getKey(source)
      if (this.#waiting.size < maxWaiting && !this.#missed.has(key)) {
        this.#waiting.set(key, source)
      }
    }
    if (this.#waiting.size > 0 && !this.#ended.signal.aborted) {
      this.#reading ??= this.#read(block).finally(() => {
        this.#reading = undefined
      })
    }
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#reading
  }

  async #read(block: BlockRef): Promise<void> {
    const { node, readUri, logger, chainId } = this.#options
    const { signal } = this.#ended
    try {
      while (this.#waiting.size > 0 && !signal.aborted) {
        const batch = [...this.#waiting.values()].slice(0, batchSize)
        const uris = await fetchTokenUris(node, batch, block, signal)
        const outcomes = await Promise.all(
          batch.map(async (source, index) => {
            const uri = uris[index]
            const outcome: CollectibleOutcome =
              uri instanceof NodeError || uri === undefined
                ? { state: 'missed' }
                : await readDocument(readUri, uri, signal)
            return { source, outcome }
          }),
        )
        await this.#write(outcomes)
        for (const { source, outcome } of outcomes) {
          this.#waiting.delete(getKey(source))
          if (outcome.state !== 'read') {
            this.#missed.set(getKey(source), true)
          }
        }
      }
    } catch (error) {
      this.#waiting.clear()
      if (!signal.aborted) {
        logger.warn({ chain: chainId, err: error }, 'failed to read documents of NFTs')
      }
    }
  }

  async #write(
    outcomes: readonly {
      readonly source: CollectibleSource
      readonly outcome: CollectibleOutcome
    }[],
  ): Promise<void> {
    const { db, chainId } = this.#options
    const rows = outcomes.flatMap(({ source, outcome }) =>
      outcome.state === 'read'
        ? [
            {
              address: source.contract,
              token_id: String(source.tokenId),
              uri: cleanUri(outcome.uri),
              ...outcome.metadata,
            },
          ]
        : [],
    )
    if (rows.length === 0) {
      return
    }
    await sql`
      insert into collectible_documents
        (chain_id, contract, token_id, uri, name, description, image, attributes)
      select ${chainId}::bigint, decode(substr(address, 3), 'hex'), token_id, uri, name, description,
        image, attributes
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as read (
        address text, token_id numeric, uri text, name text, description text, image text,
        attributes jsonb
      )
      on conflict (chain_id, contract, token_id) do nothing`.execute(db)
  }
}

function getKey({ contract, tokenId }: Key): string {
  return `${contract}/${tokenId}`
}
