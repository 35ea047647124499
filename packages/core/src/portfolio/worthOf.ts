import type { Balance } from '@headwater/contract'
import { isLowLiquidity } from '../amounts/isLowLiquidity.ts'
import { readDecimal, type Decimal } from '../amounts/readDecimal.ts'

/** What a row is worth, exactly. */
export interface Worth {
  /** In USD now; undefined when nobody knows. */
  readonly now: Decimal | undefined
  /** In USD by hours ago, of what is held now, where both prices are known. */
  readonly past: ReadonlyMap<number, Decimal>
  readonly isLowLiquidity: boolean
}

const known = new WeakMap<Balance, Worth>()

/** What a row is worth, calculated once for each row, as rows are the same objects for as long as they are unchanged. */
export function worthOf(row: Balance): Worth {
  let worth = known.get(row)
  if (worth === undefined) known.set(row, (worth = calculate(row)))
  return worth
}

function calculate(row: Balance): Worth {
  const { amount, decimals, price_usd: price, value_usd: value } = row
  const past = new Map<number, Decimal>()
  const at = (usd: number, scale: number): Decimal => {
    const { coefficient, exponent } = readDecimal(usd)
    return { coefficient: coefficient * BigInt(amount), exponent: exponent - scale }
  }
  const isLow = isLowLiquidity(row)
  if (price === undefined || decimals === undefined) {
    const now = value === undefined ? undefined : readDecimal(value)
    return { now, past, isLowLiquidity: isLow }
  }
  for (const { offset_hours, price_usd } of row.historical_prices ?? []) {
    if (typeof price_usd === 'number') past.set(offset_hours, at(price_usd, decimals))
  }
  return { now: at(price, decimals), past, isLowLiquidity: isLow }
}
