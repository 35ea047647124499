import type { Balance } from '@headwater/core'

/** Spaces, controls, and what takes no room or leaves no ink: a contract may call itself nothing but these. */
const blank = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** What a token calls itself in short; its address where that cannot be seen. */
export function symbolText({ symbol = '', address }: Balance): string {
  return blank.test(symbol) ? address : symbol
}

/** What a token calls itself; nothing where that cannot be seen. */
export function nameText({ name = '' }: Balance): string {
  return blank.test(name) ? '' : name
}

/** Which contract this is, as anyone may call theirs USDC: the ends of its address. */
export function contractText(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
