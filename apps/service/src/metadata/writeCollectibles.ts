import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { PickedCollectible } from './pickCollectibles.ts'
import type { CollectibleOutcome } from './readCollectible.ts'

/** Seconds until the next attempt, by how many there were; after these an NFT counts as failed. */
const retrySeconds = [60, 600, 3600, 6 * 3600, 24 * 3600]
const postponedSeconds = 60
const maximumUriLength = 2048
/** A document within its URI is told by its beginning, as other texts of contracts. */
const cutUriLength = 256

/** Writes what asking for the documents of NFTs came to, in one commit. */
export async function writeCollectibles(
  db: Kysely<Database>,
  chainId: number,
  outcomes: readonly {
    readonly collectible: PickedCollectible
    readonly outcome: CollectibleOutcome
  }[],
): Promise<void> {
  if (outcomes.length === 0) return
  const rows = outcomes.map(({ collectible, outcome }) => toRow(collectible, outcome))
  await db.transaction().execute(async (transaction) => {
    // The row of the chain first, as when blocks are written, so that neither waits for the other in a circle.
    if (rows.some(({ uri }) => uri !== null))
      await transaction
        .updateTable('chains')
        .set({ metadata_version: sql<number>`metadata_version + 1` })
        .where('chain_id', '=', chainId)
        .execute()
    await sql`
      update collectibles set metadata = told.metadata, attempts = told.attempts, requested_at = null,
        retry_at = now() + make_interval(secs => told.retry_seconds),
        uri = coalesce(told.uri, collectibles.uri),
        name = case when told.metadata = 'read' then told.name else collectibles.name end,
        description = case when told.metadata = 'read' then told.description else collectibles.description end,
        image = case when told.metadata = 'read' then told.image else collectibles.image end,
        attributes = case when told.metadata = 'read' then told.attributes else collectibles.attributes end
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (
        contract text, token_id numeric, metadata text, attempts int, retry_seconds int,
        uri text, name text, description text, image text, attributes jsonb
      )
      where collectibles.chain_id = ${chainId}::bigint
        and collectibles.contract = decode(substr(told.contract, 3), 'hex')
        and collectibles.token_id = told.token_id`.execute(transaction)
  })
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
    contract,
    token_id: String(tokenId),
    metadata: isRead ? 'read' : retry === undefined ? 'failed' : 'pending',
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
