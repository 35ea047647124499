import { type Balance, getPriceChange } from '@headwater/core'
import { symbolText } from '../names/tokenText.ts'

/** A column that the table can be sorted by. */
export type BalanceColumn = 'token' | 'price' | 'change' | 'value'

/** A sort column and its direction. */
export interface BalanceOrder {
  readonly column: BalanceColumn
  readonly isDescending: boolean
}

/** Search, filters and order of the balances of a wallet. */
export interface Arrangement extends BalanceOrder {
  /** Words of the token's symbol, name, contract or chain. */
  readonly search: string
  readonly hidesSmall: boolean
  readonly hidesSpam: boolean
}

/** Balances below this value in USD are small. */
const small = 1
/** Tokens below this liquidity in USD are spam, as for `exclude_spam_tokens` of the service. */
const spamLiquidity = 100

/** Filters and sorts balances. Those without a value in the column are last in either direction. */
export function arrangeBalances(
  balances: readonly Balance[],
  { search, column, isDescending, hidesSmall, hidesSpam }: Arrangement,
): readonly Balance[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = balances.filter(
    (balance) =>
      !(hidesSmall && isSmall(balance)) &&
      !(hidesSpam && isSpam(balance)) &&
      words.every((word) => textOf(balance).includes(word)),
  )
  const sign = isDescending ? -1 : 1
  if (column === 'token') {
    const names = new Map(shown.map((balance) => [balance, symbolText(balance)]))
    return shown.sort((a, b) => sign * compareText(names.get(a)!, names.get(b)!))
  }
  const figures = new Map(shown.map((balance) => [balance, figureOf(balance, column)]))
  return shown.sort((a, b) => {
    const one = figures.get(a)
    const other = figures.get(b)
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined)
    }
    return sign * (one - other)
  })
}

/** The order after the heading of a column is selected: descending first (names ascending), then reversed. */
export function sortBy(order: BalanceOrder, column: BalanceColumn): BalanceOrder {
  return {
    column,
    isDescending: order.column === column ? !order.isDescending : column !== 'token',
  }
}

const { compare: compareText } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

function figureOf(balance: Balance, column: Exclude<BalanceColumn, 'token'>): number | undefined {
  if (column === 'price') {
    return balance.price_usd
  }
  return column === 'value' ? balance.value_usd : getPriceChange(balance, 24)
}

/** Balances of unknown value are not small. */
function isSmall({ value_usd: value }: Balance): boolean {
  return value !== undefined && value < small
}

function isSpam({ address, pool_size: liquidity = 0 }: Balance): boolean {
  return address !== 'native' && liquidity < spamLiquidity
}

function textOf({ symbol, name, address, chain, chain_id: chainId }: Balance): string {
  return `${symbol} ${name} ${address} ${chain} ${chainId}`.toLowerCase()
}
