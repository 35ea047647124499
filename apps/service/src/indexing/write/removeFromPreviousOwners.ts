import { sql } from 'kysely'
import { numberToHex } from 'viem/utils'
import { zeroAddress } from '../decode/words.ts'
import { removeFromOwner } from '../fold/applyTransfer.ts'
import type { ChangeSet } from '../fold/ChangeSet.ts'
import { copyToTempTable, orderRows, type Row, type WriteTarget } from './rows.ts'

/**
 * Removes each ERC721 token from the owner that it had before a change set, which only the store knows: batches are built
 * before the previous one is written.
 *
 * @param changes - of a batch, oldest first. They are completed in place, once.
 */
export async function removeFromPreviousOwners(
  target: WriteTarget,
  changes: readonly ChangeSet[],
): Promise<void> {
  const owners = await loadOwners(target, changes)
  for (const set of changes) {
    for (const [contract, tokens] of set.owners) {
      for (const [tokenId, change] of tokens) {
        const key = contract + tokenId
        if (change.previous === undefined) {
          change.previous = owners.get(key) ?? zeroAddress
          removeFromOwner(set, contract, tokenId, change.previous)
        }
        owners.set(key, change.owner)
      }
    }
  }
}

/** Loads the stored owners of the tokens that a batch changes, by contract and token id. */
async function loadOwners(
  { transaction, chainId }: WriteTarget,
  changes: readonly ChangeSet[],
): Promise<Map<string, string>> {
  const tokens = new Map<string, Row>()
  for (const { owners } of changes) {
    for (const [contract, ids] of owners) {
      for (const tokenId of ids.keys()) {
        tokens.set(contract + tokenId, [contract, BigInt(tokenId)])
      }
    }
  }
  if (tokens.size === 0) {
    return new Map()
  }
  const columns = { contract: 'bytea', token_id: 'numeric' } as const
  const staged = await copyToTempTable(
    transaction,
    'staged_owners',
    columns,
    orderRows([...tokens.values()]),
  )
  // The lateral join with limit 1 forces an index lookup per token, whatever the statistics are.
  const { rows } = await sql<{ contract: string; token_id: string; owner: string }>`
    select '0x' || encode(changed.contract, 'hex') as contract, changed.token_id,
      '0x' || encode(stored.owner, 'hex') as owner
    from (select * from ${staged}) changed
    cross join lateral (
      select owner from collectibles
      where chain_id = ${chainId}::bigint and contract = changed.contract
        and token_id = changed.token_id and owner is not null
      limit 1
    ) stored`.execute(transaction)
  return new Map(
    rows.map(({ contract, token_id, owner }) => [
      contract + numberToHex(BigInt(token_id), { size: 32 }),
      owner,
    ]),
  )
}
