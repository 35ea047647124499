import { createTokens, type Fold, getFolds, poolTokens } from '../indexing/bulk/foldQueries.ts'
import { createIndexedPools } from '../indexing/bulk/poolQueries.ts'
import type { StoredScope } from '../indexing/decode/StoredScope.ts'

/** Creates the tables that the folds of an import read. */
export function createImportedTables(scope: StoredScope): string[] {
  return [
    createIndexedPools(scope),
    createTokens(`
      select address as contract, standard, (first_block << 32 | first_log_index) as position, events as bit
      from imported_tokens
      union all
      ${poolTokens}`),
  ]
}

const queries: Readonly<Record<string, string>> = {
  balances: `
    select holder, case standard when 20 then id else -id end as token, amount, first_in_block, initiated_block
    from imported_balances join (select address, id from found_tokens) on address = contract`,
  collectible_balances: `
    select holder, contract, token_id, amount, last_in_block from imported_collectible_balances`,
  collectibles: 'select contract, token_id, first_block, owner from imported_collectibles',
}

/** The tables of the store from those of an import. What is not imported as such is derived from facts. */
export function getImportFolds(scope: StoredScope): Fold[] {
  return getFolds(scope).map((fold) => {
    const query = queries[fold.table]
    return query === undefined ? fold : { ...fold, query, changes: undefined }
  })
}
