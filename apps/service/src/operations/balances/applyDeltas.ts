import type { LoggedDelta } from '../../store/DeltaLog.ts'
import { LedgerHolding } from './LedgerHolding.ts'
import type { Holdings } from './loadHoldings.ts'

/**
 * Applies changes of the balances of a wallet on a chain to its rows.
 *
 * @returns undefined if the rows must be read again: for a token that is not among them, as its name is not known, and where one
 *   that was left out takes the place of a removed one.
 */
export function applyDeltas(
  { priceable, others }: Holdings,
  chainId: number,
  deltas: readonly Pick<LoggedDelta, 'token' | 'amount'>[],
): Holdings | undefined {
  const sums = new Map<string, bigint>()
  for (const { token, amount } of deltas) {
    sums.set(token, (sums.get(token) ?? 0n) + amount)
  }
  let found = 0
  let removed = 0
  const apply = (holding: LedgerHolding): LedgerHolding[] | LedgerHolding => {
    const { token, amount } = holding
    const change = token.chain.id === chainId ? sums.get(token.address) : undefined
    if (change === undefined) {
      return holding
    }
    found++
    removed += amount + change > 0n ? 0 : 1
    return amount + change > 0n ? new LedgerHolding(token, amount + change) : []
  }
  const applied = { priceable: priceable.flatMap(apply), others: others?.flatMap(apply) }
  return found === sums.size && (removed === 0 || others) ? applied : undefined
}
