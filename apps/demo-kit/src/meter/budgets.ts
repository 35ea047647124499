/** The budgets to choose from, in compute units a minute, the tightest first; null for none. */
export const budgets = [6, 12, 24, 48, 96, null] as const

/** A budget as the client takes it. */
export function budgetOf(perMinute: number | null): { perMinute: number } | undefined {
  return perMinute === null ? undefined : { perMinute }
}
