/** The budgets to select, in compute units per minute, ascending; null for no budget. */
export const budgets = [6, 12, 24, 48, 96, null] as const

/** The budget option of the client. */
export function budgetOf(perMinute: number | null): { perMinute: number } | undefined {
  return perMinute === null ? undefined : { perMinute }
}
