/** Parses an amount: `1,012.5` with 3 decimals is 1012500. */
export function toUnits(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.replaceAll(',', '').split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
