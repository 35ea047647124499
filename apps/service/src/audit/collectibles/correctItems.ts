import type { Kysely } from 'kysely'
import { numberToHex } from 'viem/utils'
import { zeroAddress } from '../../indexing/decode/words.ts'
import { applyCollectibleTransfer } from '../../indexing/fold/applyTransfer.ts'
import { ChangeSet } from '../../indexing/fold/ChangeSet.ts'
import { writeBatch } from '../../indexing/write/writeBatch.ts'
import { invalidateResponses } from '../../store/changes.ts'
import { configureWrites } from '../../store/configureWrites.ts'
import type { Database } from '../../store/Database.ts'
import { uniqueBy } from '../../uniqueBy.ts'
import { type AuditedBlock, loadAuditedBlock, lockBlock } from '../AuditedBlock.ts'
import { getItemKey, type LedgerItem, loadSuspectedItems } from './loadItems.ts'

/** An amount of the ledger that differs from the chain. */
export interface WrongItem extends LedgerItem {
  /** What the contract returned: the owner of an ERC721 token, or the holder's amount of ERC1155. */
  readonly actual: { readonly owner: string } | { readonly amount: bigint }
}

/**
 * Applies the state of the chain to the ledger, as transfers that the contracts made in the indexed block without a log. The
 * undo of the block undoes them, and later logs continue from them. A fast chain has another indexed block by then than the
 * audited one: rows that were changed since are not corrected.
 *
 * @returns those that were corrected; none when the audited block was replaced.
 */
export async function correctItems(
  db: Kysely<Database>,
  block: AuditedBlock,
  wrong: readonly WrongItem[],
): Promise<readonly WrongItem[]> {
  const { chainId } = block
  return await db.transaction().execute(async (transaction) => {
    const isOnChain = await lockBlock(transaction, block)
    const indexed = isOnChain ? await loadAuditedBlock(transaction, chainId, true) : undefined
    if (!indexed) {
      return []
    }
    const current = new Map(
      (await loadSuspectedItems(transaction, chainId, wrong)).map((row) => [getItemKey(row), row]),
    )
    const corrected = wrong.filter((item) => isEqual(item, current.get(getItemKey(item))))
    if (corrected.length === 0) {
      return []
    }
    await configureWrites(transaction, '1min')
    await invalidateResponses(transaction, chainId)
    const changes = new ChangeSet()
    // Several rows of a token may show that its owner is wrong.
    const corrections = uniqueBy(corrected, (item) =>
      'owner' in item.actual ? `${item.contract} ${item.tokenId}` : getItemKey(item),
    )
    const { number, undoBlock } = indexed
    for (const item of corrections) {
      applyCorrection(changes, item, number)
    }
    const isPermanent = number <= undoBlock
    await writeBatch(transaction, chainId, {
      blocks: [],
      logCount: 0,
      undoBlock,
      permanent: isPermanent ? changes : new ChangeSet(),
      undoable: isPermanent ? [] : [{ block: number, changes }],
    })
    return corrected
  })
}

function isEqual({ amount, lastInBlock, owner }: LedgerItem, row: LedgerItem | undefined): boolean {
  return row?.amount === amount && row.lastInBlock === lastInBlock && row.owner === owner
}

function applyCorrection(changes: ChangeSet, item: WrongItem, block: number): void {
  const { contract, holder, tokenId, actual } = item
  const transfer = (standard: 721 | 1155, from: string, to: string, amount: bigint) => {
    const items = [{ tokenId: numberToHex(tokenId, { size: 32 }), amount }]
    applyCollectibleTransfer(
      changes,
      { kind: 'collectible-transfer', standard, contract, from, to, items },
      { blockNumber: block, transactionFrom: zeroAddress },
    )
  }
  if ('owner' in actual) {
    transfer(721, item.owner ?? zeroAddress, actual.owner, 1n)
  } else if (actual.amount > item.amount) {
    transfer(1155, zeroAddress, holder, actual.amount - item.amount)
  } else {
    transfer(1155, holder, zeroAddress, item.amount - actual.amount)
  }
}
