/** What a wallet has of a token, and since when. */
export interface Holding {
  amount: bigint
  /** When it first got any, in seconds. */
  readonly firstAcquired: number
  /** Whether it ever sent any. */
  hasInitiatedTransfer: boolean
}

/** Who has how much of what: one book, so that balances and holders tell the same. */
export class Ledger<Token> {
  readonly #holders = new Map<Token, Map<string, Holding>>()
  readonly #tokens = new Map<string, Set<Token>>()

  /** The same book again: what is written into one of them is not in the other. */
  copy(): Ledger<Token> {
    const copy = new Ledger<Token>()
    for (const [token, holders] of this.#holders) {
      const copies = new Map<string, Holding>()
      for (const [wallet, holding] of holders) {
        copies.set(wallet, { ...holding })
      }
      copy.#holders.set(token, copies)
    }
    for (const [wallet, tokens] of this.#tokens) {
      copy.#tokens.set(wallet, new Set(tokens))
    }
    return copy
  }

  /** The holders of a token with what they have, those that have nothing any more included. */
  holdersOf(token: Token): ReadonlyMap<string, Readonly<Holding>> {
    return this.#holders.get(token) ?? new Map()
  }

  /** What a wallet ever had. */
  tokensOf(wallet: string): ReadonlySet<Token> {
    return this.#tokens.get(wallet) ?? new Set()
  }

  amountOf(token: Token, wallet: string): bigint {
    return this.#holders.get(token)?.get(wallet)?.amount ?? 0n
  }

  supplyOf(token: Token): bigint {
    let supply = 0n
    for (const { amount } of this.holdersOf(token).values()) {
      supply += amount
    }
    return supply
  }

  /** Makes an amount what it is to be, out of nothing if it must. */
  set(token: Token, wallet: string, amount: bigint, seconds: number): void {
    if (amount < 0n) {
      throw new RangeError(`No amount is below zero, as ${amount} is`)
    }
    let holders = this.#holders.get(token)
    if (!holders) {
      this.#holders.set(token, (holders = new Map()))
    }
    const holding = holders.get(wallet)
    if (holding) {
      holding.amount = amount
    } else if (amount > 0n) {
      holders.set(wallet, { amount, firstAcquired: seconds, hasInitiatedTransfer: false })
      let tokens = this.#tokens.get(wallet)
      if (!tokens) {
        this.#tokens.set(wallet, (tokens = new Set()))
      }
      tokens.add(token)
    }
  }

  /** @throws {RangeError} when the sender has less than that. */
  transfer(token: Token, from: string, to: string, amount: bigint, seconds: number): void {
    const left = this.amountOf(token, from) - amount
    if (amount < 0n || left < 0n) {
      throw new RangeError(`${from} has no ${amount} to send`)
    }
    this.set(token, from, left, seconds)
    this.set(token, to, this.amountOf(token, to) + amount, seconds)
    const holding = this.#holders.get(token)?.get(from)
    if (holding) {
      holding.hasInitiatedTransfer = true
    }
  }
}
