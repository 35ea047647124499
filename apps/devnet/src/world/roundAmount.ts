/** Rounds an amount down to its first three digits, like an amount that a user types. */
export function roundAmount(amount: bigint): bigint {
  const digits = amount.toString().length
  if (digits <= 3) {
    return amount
  }
  const step = 10n ** BigInt(digits - 3)
  return amount - (amount % step)
}
