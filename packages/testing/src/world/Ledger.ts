/** A wallet's balance of a token. */
export interface Holding {
  amount: bigint
  /** Time of the first acquisition, in seconds. */
  readonly firstAcquired: number
  /** Whether the wallet ever sent the token. */
  hasInitiatedTransfer: boolean
}

/** The amounts of all wallets, from which both balances and holders are read. */
export class Ledger<Token> {
  readonly #holders = new Map<Token, Map<string, Holding>>()
  readonly #tokens = new Map<string, Set<Token>>()

  /** An independent copy. */
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

  /** The holders of a token, including former ones with an amount of zero. */
  holdersOf(token: Token): ReadonlyMap<string, Readonly<Holding>> {
    return this.#holders.get(token) ?? new Map()
  }

  /** Tokens that a wallet has or had. */
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

  /** Sets an amount, which may change the supply. */
  set(token: Token, wallet: string, amount: bigint, seconds: number): void {
    if (amount < 0n) {
      throw new RangeError(`The amount must not be negative: ${amount}`)
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

  /** @throws {RangeError} when the amount exceeds the balance of the sender. */
  transfer(token: Token, from: string, to: string, amount: bigint, seconds: number): void {
    const left = this.amountOf(token, from) - amount
    if (amount < 0n || left < 0n) {
      throw new RangeError(`${amount} exceeds the balance of ${from}`)
    }
    this.set(token, from, left, seconds)
    this.set(token, to, this.amountOf(token, to) + amount, seconds)
    const holding = this.#holders.get(token)?.get(from)
    if (holding) {
      holding.hasInitiatedTransfer = true
    }
  }
}
