/** Texts of white space, control and invisible characters only. Contracts may use them as names. */
const blank = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** A text of a contract; empty if it is blank. */
export function shownText(text = ''): string {
  return blank.test(text) ? '' : text
}

/** The symbol of a token; its address if the symbol is blank. */
export function symbolText({ symbol, address }: { symbol?: string; address: string }): string {
  return shownText(symbol) || address
}

/** The name of an item's chain; its id if the service returns no name. */
export function chainText({
  chain,
  chain_id: chainId,
}: {
  chain?: string
  chain_id: number
}): string {
  return shownText(chain) || `Chain ${chainId}`
}

/** The abbreviated address of a contract, because names are not unique. */
export function contractText(address: string): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}

/** The first two characters of a symbol, shown if a token has no logo. */
export function initialsOf(symbol: string): string {
  return Array.from(symbol.replace(/^0x/, '')).slice(0, 2).join('')
}
