import { type Kysely, sql } from 'kysely'
import { recordChange } from '../store/changes.ts'
import type { Database } from '../store/Database.ts'
import { lockChainRow } from '../store/lockChainRow.ts'
import type { DueCollectible } from './loadDueCollectibles.ts'
import type { CollectibleOutcome } from './readDocument.ts'
import { selectFirstHash } from './selectFirstHash.ts'

/** The delays before each retry; after the last one, an NFT fails. */
const retryDelaysSeconds = [60, 600, 3600, 6 * 3600, 24 * 3600]
const postponedDelaySeconds = 60
/** A longer URI contains the document itself. It is not stored, as a part of it would be useless. */
const maxUriLength = 2048

/**
 * Writes the outcomes of reading the metadata of NFTs. One whose first block was replaced meanwhile remains as it is.
 *
 * The metadata version, which invalidates cached responses, is incremented only if a response may have contained one of
 * the NFTs: those that were requested or failed before. New NFTs come by the thousands, and would make the cache useless.
 */
export async function writeCollectibles(
  db: Kysely<Database>,
  chainId: number,
  outcomes: readonly {
    readonly collectible: DueCollectible
    readonly outcome: CollectibleOutcome
  }[],
): Promise<void> {
  if (outcomes.length === 0) {
    return
  }
  const rows = outcomes.map(({ collectible, outcome }) => toRow(collectible, outcome))
  await db.transaction().execute(async (transaction) => {
    await lockChainRow(transaction, chainId)
    const written = await sql<{ contract: string; is_visible: boolean }>`
      with outcome as materialized (
        select decode(substr(address, 3), 'hex') as contract, read.*
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as read (
          address text, token_id numeric, first_hash text, state text, attempts int, retry_seconds int,
          has_uri boolean, uri text, name text, description text, image text, attributes jsonb
        )
      ), previous as materialized (
        select contract, token_id, collectibles.uri,
          requested_at is not null or collectibles.attempts > 0 as is_visible
        from collectibles join outcome using (contract, token_id)
        where chain_id = ${chainId}::bigint
          and coalesce(${selectFirstHash('collectibles')} = outcome.first_hash, true)
        order by contract, token_id
        for update of collectibles
      )
      update collectibles set metadata = outcome.state, attempts = outcome.attempts, requested_at = null,
        retry_at = now() + make_interval(secs => outcome.retry_seconds),
        uri = case when outcome.has_uri then outcome.uri else collectibles.uri end,
        name = case when outcome.state = 'read' then outcome.name else collectibles.name end,
        description = case when outcome.state = 'read' then outcome.description else collectibles.description end,
        image = case when outcome.state = 'read' then outcome.image else collectibles.image end,
        attributes = case when outcome.state = 'read' then outcome.attributes else collectibles.attributes end
      from outcome join previous using (contract, token_id)
      where collectibles.chain_id = ${chainId}::bigint
        and collectibles.contract = outcome.contract and collectibles.token_id = outcome.token_id
      returning '0x' || encode(collectibles.contract, 'hex') as contract, previous.is_visible and (outcome.state = 'read'
        or (outcome.has_uri and outcome.uri is distinct from previous.uri)) as is_visible`.execute(
      transaction,
    )
    const visible = written.rows.filter(({ is_visible }) => is_visible)
    if (visible.length > 0) {
      const contracts = new Set(visible.map(({ contract }) => contract))
      await recordChange(transaction, chainId, { contracts }, { isMetadata: true })
    }
  })
}

function toRow(
  { contract, tokenId, firstHash, attempts }: DueCollectible,
  outcome: CollectibleOutcome,
) {
  const { name, description, image, attributes } =
    outcome.state === 'read' ? outcome.metadata : emptyMetadata
  const isMissed = outcome.state === 'missed'
  const retry =
    outcome.state === 'postponed'
      ? postponedDelaySeconds
      : isMissed
        ? retryDelaysSeconds[attempts]
        : undefined
  const isRead = outcome.state === 'read'
  const uri = 'uri' in outcome ? outcome.uri : undefined
  return {
    address: contract,
    token_id: String(tokenId),
    first_hash: firstHash,
    state: isRead ? 'read' : retry === undefined ? 'failed' : 'pending',
    attempts: isMissed ? attempts + 1 : attempts,
    retry_seconds: retry ?? null,
    has_uri: uri !== undefined,
    uri: uri === undefined ? null : cleanUri(uri),
    name,
    description,
    image,
    attributes,
  }
}

const emptyMetadata = { name: null, description: null, image: null, attributes: null }

/** Removes control characters; null for a URI that contains the document itself. */
export function cleanUri(uri: string): string | null {
  const clean = uri.toWellFormed().replaceAll(/\p{Cc}/gu, '')
  return clean.length <= maxUriLength ? clean : null
}
