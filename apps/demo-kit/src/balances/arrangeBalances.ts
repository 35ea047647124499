import { type Balance, getPriceChange } from '@headwater/core'
import { symbolText } from '../names/tokenText.ts'

/** A column that the table can be sorted by. */
export type BalanceColumn = 'token' | 'price' | 'change' | 'value'

/** By which column, and from which end. */
export interface BalanceOrder {
  readonly column: BalanceColumn
  readonly isDescending: boolean
}

/** What is shown of a wallet, and in which order. */
export interface Arrangement extends BalanceOrder {
  /** Words of the token's symbol, name, contract or chain. */
  readonly search: string
  readonly hidesSmall: boolean
  readonly hidesSpam: boolean
}

/** What is worth less than this many USD is small. */
const small = 1
/** A token with less USD liquidity than this is taken for spam, as the service's `exclude_spam_tokens` does. */
const spamLiquidity = 100

/** Leaves out what is not looked for and sorts the rest; what has no value in the column comes last either way. */
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
    const [one, other] = [figures.get(a), figures.get(b)]
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined)
    }
    return sign * (one - other)
  })
}

/** The order after a column's heading was chosen: that column, the largest first; once more, the other way. */
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

/** What has no price may be worth anything. */
function isSmall({ value_usd: value }: Balance): boolean {
  return value !== undefined && value < small
}

function isSpam({ address, pool_size: liquidity = 0 }: Balance): boolean {
  return address !== 'native' && liquidity < spamLiquidity
}

function textOf({ symbol, name, address, chain, chain_id: chainId }: Balance): string {
  return `${symbol} ${name} ${address} ${chain} ${chainId}`.toLowerCase()
}
