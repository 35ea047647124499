import { type Address, zeroAddress } from 'viem'

/** Who holds how much of every token, in smallest units. */
export class Ledger {
  readonly #balances = new Map<Address, Map<Address, bigint>>()

  /** The tokens that somebody ever held. */
  get tokens(): Address[] {
    return [...this.#balances.keys()]
  }

  /** What a holder has of a token; 0 when nothing is known. */
  balanceOf(token: Address, holder: Address): bigint {
    return this.#balances.get(token)?.get(holder) ?? 0n
  }

  /** Every holder of a token that was ever named, with its balance. */
  holdersOf(token: Address): ReadonlyMap<Address, bigint> {
    return this.#balances.get(token) ?? new Map<Address, bigint>()
  }

  /** The sum of what all holders have of a token. */
  totalOf(token: Address): bigint {
    return [...this.holdersOf(token).values()].reduce((sum, balance) => sum + balance, 0n)
  }

  /** Writes a balance that was read from the chain. */
  set(token: Address, holder: Address, balance: bigint): void {
    let holders = this.#balances.get(token)
    if (!holders) {
      this.#balances.set(token, (holders = new Map<Address, bigint>()))
    }
    holders.set(holder, balance)
  }

  /** Creates an amount. */
  mint(token: Address, to: Address, amount: bigint): void {
    this.set(token, to, this.balanceOf(token, to) + amount)
  }

  /**
   * Takes an amount out of the world.
   *
   * @throws {RangeError} when the holder has less
   */
  burn(token: Address, from: Address, amount: bigint): void {
    const balance = this.balanceOf(token, from)
    if (balance < amount) {
      throw new RangeError(
        `${from} has ${balance.toString()} of ${token}, less than ${amount.toString()}`,
      )
    }
    this.set(token, from, balance - amount)
  }

  /**
   * Moves an amount.
   *
   * @throws {RangeError} when the holder has less, or the receiver is the zero address
   */
  move(token: Address, from: Address, to: Address, amount: bigint): void {
    if (to === zeroAddress) {
      throw new RangeError('ERC20 refuses transfers to the zero address')
    }
    this.burn(token, from, amount)
    this.mint(token, to, amount)
  }
}
