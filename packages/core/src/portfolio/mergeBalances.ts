import type { Balance } from '@headwater/contract'
import { isLowLiquidity } from '../amounts/isLowLiquidity.ts'
import { isSameArray } from '../collections/RowSet.ts'
import { DecimalSum } from './DecimalSum.ts'
import { getRowValue } from './getRowValue.ts'
import type { PortfolioHolding } from './Portfolio.ts'

interface Part {
  readonly address: string
  readonly row: Balance
}

/** Merges the balances of wallets: one holding per token and chain, most valuable first, low liquidity last. */
export function mergeBalances(
  wallets: readonly { readonly address: string; readonly rows: readonly Balance[] }[],
): readonly PortfolioHolding[] {
  const parts = new Map<string, Part[]>()
  for (const { address, rows } of wallets) {
    for (const row of rows) {
      const key = `${row.chain_id} ${row.address}`
      const others = parts.get(key)
      if (others) {
        others.push({ address, row })
      } else {
        parts.set(key, [{ address, row }])
      }
    }
  }
  return [...parts.values()].map(getHolding).sort(compareHoldings)
}

function compareHoldings(a: Balance, b: Balance): number {
  return (
    Number(isLowLiquidity(a)) - Number(isLowLiquidity(b)) ||
    (b.value_usd ?? -1) - (a.value_usd ?? -1) ||
    a.chain_id - b.chain_id ||
    (a.address < b.address ? -1 : 1)
  )
}

/** By the balance in the first wallet. */
const holdings = new WeakMap<
  Balance,
  { readonly rows: readonly Balance[]; readonly holding: PortfolioHolding }
>()

/** A holding keeps its identity while nothing about its balances changed, as they do. */
function getHolding(parts: readonly Part[]): PortfolioHolding {
  const rows = parts.map(({ row }) => row)
  const [first] = rows as [Balance]
  const known = holdings.get(first)
  if (known && isSameArray(known.rows, rows)) {
    return known.holding
  }
  const wallets = parts.map(({ address, row }) => ({ address, amount: row.amount }))
  const holding = rows.length > 1 ? { ...sumBalances(rows), wallets } : { ...first, wallets }
  holdings.set(first, { rows, holding })
  return holding
}

function sumBalances(rows: readonly Balance[]): Balance {
  const [{ value_usd, ...first }] = rows as [Balance]
  let amount = 0n
  let isPriced = false
  const value = new DecimalSum()
  for (const row of rows) {
    const { now } = getRowValue(row)
    amount += BigInt(row.amount)
    if (now) {
      isPriced = true
      value.add(now)
    }
  }
  return { ...first, amount: String(amount), ...(isPriced && { value_usd: value.toNumber() }) }
}
