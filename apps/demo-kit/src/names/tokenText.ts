/** Spaces, controls, and what takes no room or leaves no ink: a contract may call itself nothing but these. */
const blank = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** What a contract says of itself; nothing where that cannot be seen. */
export function shownText(text = ''): string {
  return blank.test(text) ? '' : text
}

/** What a token calls itself in short; its address where that cannot be seen. */
export function symbolText({ symbol, address }: { symbol?: string; address: string }): string {
  return shownText(symbol) || address
}

/** What a token calls itself; nothing where that cannot be seen. */
export function nameText({ name }: { chain_id: number; name?: string }): string {
  return shownText(name)
}

/** The name of the chain of an item; its id where the service does not tell. */
export function chainText({
  chain,
  chain_id: chainId,
}: {
  chain?: string
  chain_id: number
}): string {
  return shownText(chain) || `Chain ${chainId}`
}

/** Which contract this is, as anyone may call theirs USDC: the ends of its address. */
export function contractText(address: string): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}

/** What stands for a token that has no logo: the first letter or two of its symbol. */
export function initialsOf(symbol: string): string {
  return Array.from(symbol.replace(/^0x/, '')).slice(0, 2).join('')
}
