import { type Address, zeroAddress } from 'viem'

/** The balances of all tokens, in smallest units. */
export class Ledger {
  readonly #balances = new Map<Address, Map<Address, bigint>>()

  /** All tokens that had a holder. */
  get tokens(): Address[] {
    return [...this.#balances.keys()]
  }

  /** The balance of a holder; 0 if unknown. */
  balanceOf(token: Address, holder: Address): bigint {
    return this.#balances.get(token)?.get(holder) ?? 0n
  }

  /** Every current or previous holder of a token, with its balance. */
  holdersOf(token: Address): ReadonlyMap<Address, bigint> {
    return this.#balances.get(token) ?? new Map<Address, bigint>()
  }

  /** The sum of the balances of a token. */
  totalOf(token: Address): bigint {
    return [...this.holdersOf(token).values()].reduce((sum, balance) => sum + balance, 0n)
  }

  /** Sets a balance that was read from the chain. */
  set(token: Address, holder: Address, balance: bigint): void {
    let holders = this.#balances.get(token)
    if (!holders) {
      this.#balances.set(token, (holders = new Map<Address, bigint>()))
    }
    holders.set(holder, balance)
  }

  /** Mints an amount. */
  mint(token: Address, to: Address, amount: bigint): void {
    this.set(token, to, this.balanceOf(token, to) + amount)
  }

  /**
   * Burns an amount.
   *
   * @throws {RangeError} when the holder has less
   */
  burn(token: Address, from: Address, amount: bigint): void {
    const balance = this.balanceOf(token, from)
    if (balance < amount) {
      throw new RangeError(`${from} has ${balance} of ${token}, less than ${amount}`)
    }
    this.set(token, from, balance - amount)
  }

  /**
   * Transfers an amount.
   *
   * @throws {RangeError} when the holder has less, or the receiver is the zero address
   */
  move(token: Address, from: Address, to: Address, amount: bigint): void {
    if (to === zeroAddress) {
      throw new RangeError('ERC20 rejects transfers to the zero address')
    }
    this.burn(token, from, amount)
    this.mint(token, to, amount)
  }
}
