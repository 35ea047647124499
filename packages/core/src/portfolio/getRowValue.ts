import type { Balance } from '@headwater/contract'
import { type Decimal, toDecimal } from '../amounts/decimals.ts'
import { isLowLiquidity } from '../amounts/isLowLiquidity.ts'

/** The exact value of a balance in USD. */
interface RowValue {
  /** At the current price; undefined if unpriced. */
  readonly now: Decimal | undefined
  /** At known past prices, by offset in hours. */
  readonly past: ReadonlyMap<number, Decimal>
  readonly hasLowLiquidity: boolean
}

const rowValues = new WeakMap<Balance, RowValue>()

/** Computed once per row, as a row keeps its identity while nothing about it changed. */
export function getRowValue(row: Balance): RowValue {
  let value = rowValues.get(row)
  if (value === undefined) {
    rowValues.set(row, (value = computeRowValue(row)))
  }
  return value
}

function computeRowValue(row: Balance): RowValue {
  const { amount, decimals, price_usd: price, value_usd: value } = row
  const past = new Map<number, Decimal>()
  const hasLowLiquidity = isLowLiquidity(row)
  if (price === undefined || decimals === undefined) {
    return { now: value === undefined ? undefined : toDecimal(value), past, hasLowLiquidity }
  }
  const atPrice = (usd: number): Decimal => {
    const { coefficient, exponent } = toDecimal(usd)
    return { coefficient: coefficient * BigInt(amount), exponent: exponent - decimals }
  }
  for (const { offset_hours, price_usd } of row.historical_prices ?? []) {
    if (typeof price_usd === 'number') {
      past.set(offset_hours, atPrice(price_usd))
    }
  }
  return { now: atPrice(price), past, hasLowLiquidity }
}
