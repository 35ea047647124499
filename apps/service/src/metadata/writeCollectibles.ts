import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { PickedCollectible } from './pickCollectibles.ts'
import type { CollectibleOutcome } from './readDocument.ts'

/** Seconds until the next attempt, by how many there were; after these an NFT counts as failed. */
const retrySeconds = [60, 600, 3600, 6 * 3600, 24 * 3600]
const postponedSeconds = 60
const maximumUriLength = 2048
/** A document within its URI is told by its beginning, as other texts of contracts. */
const cutUriLength = 256

/**
 * Writes what asking for the documents of NFTs came to.
 *
 * That answers changed is said only where one may have told of an NFT before: then it was asked for, or failed once. The
 * others come by the thousand, and answers that are remembered would be of no use while they do.
 */
export async function writeCollectibles(
  db: Kysely<Database>,
  chainId: number,
  outcomes: readonly {
    readonly collectible: PickedCollectible
    readonly outcome: CollectibleOutcome
  }[],
): Promise<void> {
  if (outcomes.length === 0) {
    return
  }
  const rows = outcomes.map(({ collectible, outcome }) => toRow(collectible, outcome))
  const written = await sql<{ was_told: boolean }>`
    with told as materialized (
      select decode(substr(address, 3), 'hex') as contract, read.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as read (
        address text, token_id numeric, state text, attempts int, retry_seconds int,
        uri text, name text, description text, image text, attributes jsonb
      )
    ), known as materialized (
      select contract, token_id, collectibles.uri,
        requested_at is not null or collectibles.attempts > 0 as was_told
      from collectibles join told using (contract, token_id)
      where chain_id = ${chainId}::bigint
      order by contract, token_id
      for update of collectibles
    )
    update collectibles set metadata = told.state, attempts = told.attempts, requested_at = null,
      retry_at = now() + make_interval(secs => told.retry_seconds),
      uri = coalesce(told.uri, collectibles.uri),
      name = case when told.state = 'read' then told.name else collectibles.name end,
      description = case when told.state = 'read' then told.description else collectibles.description end,
      image = case when told.state = 'read' then told.image else collectibles.image end,
      attributes = case when told.state = 'read' then told.attributes else collectibles.attributes end
    from told join known using (contract, token_id)
    where collectibles.chain_id = ${chainId}::bigint
      and collectibles.contract = told.contract and collectibles.token_id = told.token_id
    returning known.was_told
      and (told.state = 'read' or coalesce(told.uri, known.uri) is distinct from known.uri) as was_told`.execute(
    db,
  )
  // Apart, as blocks are written with the row of the chain first: neither may wait for the other in a circle.
  if (written.rows.some(({ was_told }) => was_told)) {
    await db
      .updateTable('chains')
      .set({ metadata_version: sql<number>`metadata_version + 1` })
      .where('chain_id', '=', chainId)
      .execute()
  }
}

function toRow({ contract, tokenId, attempts }: PickedCollectible, outcome: CollectibleOutcome) {
  const { name, description, image, attributes } =
    outcome.state === 'read' ? outcome.metadata : nothing
  const isMissed = outcome.state === 'missed'
  const retry =
    outcome.state === 'postponed' ? postponedSeconds : isMissed ? retrySeconds[attempts] : undefined
  const isRead = outcome.state === 'read'
  const uri = 'uri' in outcome ? outcome.uri : undefined
  return {
    address: contract,
    token_id: String(tokenId),
    state: isRead ? 'read' : retry === undefined ? 'failed' : 'pending',
    attempts: isMissed ? attempts + 1 : attempts,
    retry_seconds: retry ?? null,
    uri: uri === undefined ? null : shorten(uri),
    name,
    description,
    image,
    attributes,
  }
}

const nothing = { name: null, description: null, image: null, attributes: null }

function shorten(uri: string): string {
  const clean = uri.toWellFormed().replaceAll(/\p{Cc}/gu, '')
  return clean.length <= maximumUriLength ? clean : clean.slice(0, cutUriLength).toWellFormed()
}
