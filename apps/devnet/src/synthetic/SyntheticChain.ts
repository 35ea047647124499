import { seededRandom } from '../seededRandom.ts'

/** An ERC20 token of a synthetic chain. */
export interface SyntheticToken {
  /** In lower case. */
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

/** A Uniswap V2 pair, which is created in block 1. */
export interface SyntheticPair {
  readonly address: string
  readonly factory: string
  /** In the order of their addresses. */
  readonly tokens: readonly [string, string]
  /** In smallest units, in block 1. */
  readonly reserves: readonly [bigint, bigint]
  /** Each so many blocks, the first reserve grows by a millionth; by default, the reserves never change. */
  readonly blocksPerSync?: number
}

/** An account that receives an amount of each of some tokens, spread evenly over the past, and sends none. */
export interface SyntheticWallet {
  readonly address: string
  /** The first tokens of the chain. */
  readonly tokens: number
}

export interface SyntheticChainOptions {
  readonly chainId: number
  /** The same seed gives the same transfers. */
  readonly seed: string
  /** The number of the latest block of the past. */
  readonly blocks: number
  readonly transfersPerBlock: number
  readonly tokens: readonly SyntheticToken[]
  readonly pairs?: readonly SyntheticPair[]
  readonly wallets: readonly SyntheticWallet[]
  /** The number of further accounts, between which all other transfers are. */
  readonly holders: number
  readonly secondsBetweenBlocks: number
  /** Unix seconds; default so that the past ends now. */
  readonly genesisTime?: number | undefined
}

/** A transfer, by indexes into the tokens and accounts of the chain. */
export interface SyntheticTransfer {
  readonly token: number
  readonly from: number
  readonly to: number
  /** In units of the token, see `unitOf`. */
  readonly amount: number
}

/** The account that all supplies are minted to in block 1. */
const treasury = 0
const supplyUnits = 1e12

/**
 * A chain of ERC20 transfers that follow from a seed, with the balances after its latest block. A transfer takes 20 bytes, and
 * logs and blocks are created when they are read, so that a long history costs little memory and time.
 */
export class SyntheticChain {
  readonly options: SyntheticChainOptions
  /** Addresses in lower case: the treasury, the wallets, all others. */
  readonly accounts: readonly string[]
  readonly genesisTime: number
  /** Of the blocks from 2 to `options.blocks`. */
  readonly #past: {
    readonly token: Uint16Array
    readonly from: Uint32Array
    readonly to: Uint32Array
    readonly amount: Float64Array
  }
  /** Of the blocks after the past. */
  readonly #present: (readonly SyntheticTransfer[])[] = []
  /** In units, by token and account. */
  readonly #balances: Float64Array
  readonly #accountIndexes: ReadonlyMap<string, number>
  readonly #tokenIndexes: ReadonlyMap<string, number>
  readonly #random

  constructor(options: SyntheticChainOptions) {
    const { seed, blocks, transfersPerBlock, tokens, wallets, holders } = options
    this.options = options
    const now = Math.floor(Date.now() / 1000)
    this.genesisTime = options.genesisTime ?? now - blocks * options.secondsBetweenBlocks
    this.#random = seededRandom(seed)
    const others = Array.from({ length: holders }, () => this.#createAddress())
    this.accounts = [this.#createAddress(), ...wallets.map(({ address }) => address), ...others]
    this.#accountIndexes = new Map(this.accounts.map((address, index) => [address, index]))
    this.#tokenIndexes = new Map(tokens.map(({ address }, index) => [address, index]))
    this.#balances = new Float64Array(tokens.length * this.accounts.length)
    for (let token = 0; token < tokens.length; token++) {
      this.#balances[token * this.accounts.length + treasury] = supplyUnits
    }
    const length = Math.max(0, blocks - 1) * transfersPerBlock
    const past = {
      token: new Uint16Array(length),
      from: new Uint32Array(length),
      to: new Uint32Array(length),
      amount: new Float64Array(length),
    }
    this.#past = past
    const gifts = this.#planGifts()
    for (let index = 0; index < length; index++) {
      const gift =
        index % transfersPerBlock === 0 ? gifts.get(2 + index / transfersPerBlock) : undefined
      const transfer = gift ?? this.#drawTransfer()
      this.#apply(transfer)
      past.token[index] = transfer.token
      past.from[index] = transfer.from
      past.to[index] = transfer.to
      past.amount[index] = transfer.amount
    }
  }

  /** The number of the latest block. */
  get head(): number {
    return this.options.blocks + this.#present.length
  }

  /** The number of all transfers, without mints. */
  get transfers(): number {
    return this.#past.token.length + this.#present.reduce((sum, { length }) => sum + length, 0)
  }

  /** Mines a block of random transfers. */
  mine(extra: readonly SyntheticTransfer[] = []): void {
    const count = Math.max(0, this.options.transfersPerBlock - extra.length)
    const transfers: SyntheticTransfer[] = []
    for (let index = 0; index < count + extra.length; index++) {
      const transfer = extra[index] ?? this.#drawTransfer()
      this.#apply(transfer)
      transfers.push(transfer)
    }
    this.#present.push(transfers)
  }

  /** The transfers of a block without the mints of block 1. */
  transfersOf(block: number): readonly SyntheticTransfer[] {
    const { blocks, transfersPerBlock } = this.options
    if (block > blocks) {
      return this.#present[block - blocks - 1] ?? []
    }
    if (block < 2) {
      return []
    }
    const { token, from, to, amount } = this.#past
    const start = (block - 2) * transfersPerBlock
    return Array.from({ length: transfersPerBlock }, (_, offset) => ({
      token: token[start + offset] ?? 0,
      from: from[start + offset] ?? 0,
      to: to[start + offset] ?? 0,
      amount: amount[start + offset] ?? 0,
    }))
  }

  /** Smallest units in a unit of amounts. */
  unitOf(token: number): bigint {
    return 10n ** BigInt(Math.max(0, (this.options.tokens[token]?.decimals ?? 0) - 6))
  }

  supplyOf(token: number): bigint {
    return BigInt(supplyUnits) * this.unitOf(token)
  }

  findToken(address: string): number | undefined {
    return this.#tokenIndexes.get(address)
  }

  /** The native balance of an address, which never changes; 0 for those without an account. */
  nativeBalanceOf(address: string): bigint {
    return this.#accountIndexes.has(address) ? BigInt(`0x${address.slice(-4)}`) * 10n ** 15n : 0n
  }

  /** The balance of an address after a block, in smallest units: that after the latest block, without the later transfers. */
  balanceOf(token: number, address: string, block: number): bigint {
    const account = this.#accountIndexes.get(address)
    if (account === undefined || block < 1) {
      return 0n
    }
    let units = this.#balances[token * this.accounts.length + account] ?? 0
    for (let later = this.head; later > block; later--) {
      for (const transfer of this.transfersOf(later)) {
        if (transfer.token === token) {
          units += transfer.from === account ? transfer.amount : 0
          units -= transfer.to === account ? transfer.amount : 0
        }
      }
    }
    return BigInt(units) * this.unitOf(token)
  }

  /** The reserves of a pair after a block. */
  reservesOf({ reserves, blocksPerSync }: SyntheticPair, block: number): readonly [bigint, bigint] {
    const syncs = blocksPerSync === undefined ? 0 : Math.floor(block / blocksPerSync)
    return [reserves[0] + (reserves[0] * BigInt(syncs)) / 1_000_000n, reserves[1]]
  }

  /** What an address holds after a block, counted from all of its transfers. */
  countBalances(address: string, block: number): Map<string, bigint> {
    const account = this.#accountIndexes.get(address)
    const units = new Map<number, number>()
    for (let number = 2; number <= block; number++) {
      for (const { token, from, to, amount } of this.transfersOf(number)) {
        if (from === account || to === account) {
          const change = (to === account ? amount : 0) - (from === account ? amount : 0)
          units.set(token, (units.get(token) ?? 0) + change)
        }
      }
    }
    return new Map(
      [...units]
        .filter(([, amount]) => amount !== 0)
        .map(([token, amount]) => [
          this.options.tokens[token]?.address ?? '',
          BigInt(amount) * this.unitOf(token),
        ]),
    )
  }

  /** The gifts of the treasury to the wallets, by block. */
  #planGifts(): Map<number, SyntheticTransfer> {
    const { blocks, wallets } = this.options
    const gifts = new Map<number, SyntheticTransfer>()
    for (const [index, { tokens }] of wallets.entries()) {
      for (let token = 0; token < tokens; token++) {
        let block = 2 + Math.floor(((token + 0.5) * (blocks - 2)) / tokens)
        while (gifts.has(block)) {
          block++
        }
        const amount = this.#random.integer(1_000_000, 90_000_000)
        gifts.set(block, { token, from: treasury, to: 1 + index, amount })
      }
    }
    return gifts
  }

  /** A part of what an account holds of a token, to another account. */
  #drawTransfer(): SyntheticTransfer {
    const { tokens, wallets } = this.options
    const random = this.#random
    const draw = () => random.integer(1 + wallets.length, this.accounts.length - 1)
    const token = random.integer(0, tokens.length - 1)
    const candidate = draw()
    const held = this.#balances[token * this.accounts.length + candidate] ?? 0
    const from = held >= 10 ? candidate : treasury
    const amount =
      from === treasury ? random.integer(1, 50_000_000) : Math.floor(held / random.integer(1, 10))
    return { token, from, to: draw(), amount }
  }

  #apply({ token, from, to, amount }: SyntheticTransfer): void {
    const start = token * this.accounts.length
    this.#balances[start + from] = (this.#balances[start + from] ?? 0) - amount
    this.#balances[start + to] = (this.#balances[start + to] ?? 0) + amount
  }

  #createAddress(): string {
    const word = () => this.#random.integer(0, 0xffff_ffff).toString(16).padStart(8, '0')
    return `0x${Array.from({ length: 5 }, word).join('')}`
  }
}
