import type { Formats } from '../formats/createFormats.ts'

/** The share of an amount in a supply, in percent, rounded to the last shown digit; a dash if one is not an amount. */
export function shareText(amount: string, supply: string | undefined, { share }: Formats): string {
  try {
    const whole = BigInt(supply ?? '')
    if (supply === undefined || whole === 0n) {
      return share(undefined)
    }
    const millionths = (BigInt(amount) * 1_000_000n) / whole
    if (millionths < 100n && BigInt(amount) > 0n) {
      return `< ${share(0.0001)}`
    }
    return share(Number(millionths) / 1e6)
  } catch {
    return share(undefined)
  }
}
