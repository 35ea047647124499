import type { Changes } from './Changes.ts'
import type { Row } from './stageRows.ts'

/** The rows of `balances` that changed, in the order of its columns in `undoTables`. */
export function balanceRows({ balances }: Changes): Row[] {
  const rows: Row[] = []
  for (const tokens of [balances[20], balances[721]])
    for (const holders of tokens.values())
      for (const { holder, token, standard, amount, firstIn, initiated } of holders.values())
        rows.push([holder, token, standard, amount, firstIn, initiated])
  return rows
}

/** The rows of `collectible_balances` that changed. */
export function collectibleBalanceRows({ collectibleBalances }: Changes): Row[] {
  const rows: Row[] = []
  for (const [contract, entries] of collectibleBalances)
    for (const { holder, tokenId, amount, lastIn } of entries.values())
      rows.push([holder, contract, BigInt(tokenId), amount, lastIn])
  return rows
}

/** The rows of `pool_positions` that changed. */
export function positionRows({ positions }: Changes): Row[] {
  return [...positions.values()].map(({ pool, tickLower, tickUpper, liquidity }) => {
    return [pool, tickLower, tickUpper, liquidity]
  })
}
