import {
  type Address,
  decodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'

// Computes the expected rows from the receipts of a node, independently of the code of the service: simple, slow, and from
// the first block each time.

/** A chain whose rows are computed. */
export interface CountedChain {
  readonly rpc: { batch(calls: [string, unknown[]][]): Promise<unknown[]> }
  readonly wrappedNative: string
  readonly uniswapV2Factory: string
  readonly uniswapV3Factory: string
  readonly marketplace: string
}

interface BalanceRow {
  amount: bigint
  firstIn?: number
  initiated?: number
}

interface ItemRow {
  amount: bigint
  lastIn?: number
}

/** The expected rows; keys are fields separated by spaces. */
export interface Counted {
  readonly block: number
  /** `holder token standard` to the row. */
  readonly balances: Map<string, BalanceRow>
  /** `holder contract id` to the row. */
  readonly items: Map<string, ItemRow>
  /** `contract id` of an ERC721 token to its owner, the zero address for none. */
  readonly owners: Map<string, string>
  /** `contract id` to the block in which it was first seen. */
  readonly collectibles: Map<string, number>
  readonly tokens: Map<string, { standard: number; block: number }>
  /** `contract id block logIndex price`. */
  readonly sales: string[]
  /** By address. */
  readonly pools: Map<string, { kind: string; token0: string; token1: string; fee: number | null }>
  /** `pool lower upper` to liquidity. */
  readonly positions: Map<string, bigint>
}

interface Receipt {
  readonly from: Address
  readonly logs: readonly RawLog[]
}

interface RawLog {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly logIndex: Hex
}

const events = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event Deposit(address indexed to, uint256 value)',
  'event Withdrawal(address indexed from, uint256 value)',
  'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)',
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'struct Spent { uint8 itemType; address token; uint256 id; uint256 amount; }',
  'struct Received { uint8 itemType; address token; uint256 id; uint256 amount; address recipient; }',
  'event OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, Spent[] offer, Received[] consideration)',
])

const nameOf = new Map(
  events.map((event) => [encodeEventTopics({ abi: [event] })[0] as string, event.name]),
)

const sale = parseAbiParameters(
  'bytes32, address, (uint8 itemType, address token, uint256 id, uint256 amount)[] offer, (uint8 itemType, address token, uint256 id, uint256 amount, address recipient)[] consideration',
)

/** Computes the rows of a chain up to a block from its logs. */
export class Recount {
  readonly #chain: CountedChain
  /** By block hash. */
  readonly #receipts = new Map<string, readonly Receipt[]>()
  /** The last result, and the hash of its head. */
  #last: { hash: string; counted: Counted } | undefined

  constructor(chain: CountedChain) {
    this.#chain = chain
  }

  async upTo(block: number): Promise<Counted> {
    const [head] = (await this.#chain.rpc.batch([
      ['eth_getBlockByNumber', [numberToHex(block), false]],
    ])) as [{ hash: string }]
    if (head.hash === this.#last?.hash) {
      return this.#last.counted
    }
    const counted: Counted = {
      block,
      balances: new Map(),
      items: new Map(),
      owners: new Map(),
      collectibles: new Map(),
      tokens: new Map(),
      sales: [],
      pools: new Map(),
      positions: new Map(),
    }
    for (const receipts of await this.#read(block)) {
      for (const { from, logs } of receipts) {
        for (const log of logs) {
          this.#count(counted, log, from)
        }
      }
    }
    this.#last = { hash: head.hash, counted }
    return counted
  }

  async #read(block: number): Promise<(readonly Receipt[])[]> {
    const { rpc } = this.#chain
    const numbers = Array.from({ length: block + 1 }, (_, number) => numberToHex(number))
    const headers = (await rpc.batch(
      numbers.map((number) => ['eth_getBlockByNumber', [number, false]]),
    )) as { hash: string; number: Hex }[]
    const missing = headers.filter(({ hash }) => !this.#receipts.has(hash))
    const results = (await rpc.batch(
      missing.map(({ number }) => ['eth_getBlockReceipts', [number]]),
    )) as Receipt[][]
    for (const [index, { hash }] of missing.entries()) {
      this.#receipts.set(hash, results[index] ?? [])
    }
    return headers.map(({ hash }) => this.#receipts.get(hash) ?? [])
  }

  #count(counted: Counted, log: RawLog, sender: Address): void {
    const { address, topics, data } = log
    const block = Number(log.blockNumber)
    const [first, a, b, c] = topics
    const words = (data.length - 2) / 64
    const [one, two, three] = [a, b, c].map(cleanAddress)
    const { wrappedNative, uniswapV2Factory, uniswapV3Factory, marketplace } = this.#chain
    const move = (standard: 20, from: string, to: string, amount: bigint) => {
      const initiator = from === sender ? from : undefined
      moveBalance(counted, { token: address, standard, from, to, amount, block, initiator })
    }
    const moveItem = (standard: 1155, from: string, to: string, id: bigint, n: bigint) => {
      if (n === 0n || (from === zeroAddress && to === zeroAddress)) {
        return
      }
      const ends = { contract: address, id, from, to, amount: n, block }
      moveItems(counted, ends)
      see(counted, address, standard, block)
    }
    switch (first === undefined ? undefined : nameOf.get(first)) {
      case 'Transfer':
        if (topics.length === 1 && words >= 3) {
          const word = (at: number): Hex => `0x${data.slice(2 + 64 * at, 66 + 64 * at)}`
          const from = cleanAddress(word(0))
          const to = cleanAddress(word(1))
          if (from && to && BigInt(word(2)) > 0n && (from !== zeroAddress || to !== zeroAddress)) {
            move(20, from, to, BigInt(word(2)))
            see(counted, address, 20, block)
          }
          return
        }
        if (!one || !two) {
          return
        }
        if (topics.length === 3 && words >= 1) {
          const amount = BigInt(data.slice(0, 66))
          if (amount === 0n || (one === zeroAddress && two === zeroAddress)) {
            return
          }
          move(20, one, two, amount)
          see(counted, address, 20, block)
        } else if (c) {
          if (one === zeroAddress && two === zeroAddress) {
            return
          }
          const key = `${address} ${BigInt(c)}`
          // The previous owner loses the token, which need not be the logged sender.
          const owner = counted.owners.get(key) ?? zeroAddress
          counted.owners.set(key, two)
          moveItems(counted, {
            contract: address,
            id: BigInt(c),
            from: owner,
            to: two,
            amount: 1n,
            block,
          })
          see(counted, address, 721, block)
          const ends = { token: address, standard: 721, from: owner, to: two } as const
          const initiator = one === sender ? one : undefined
          moveBalance(counted, { ...ends, amount: 1n, block, initiator })
        }
        return
      case 'Deposit':
      case 'Withdrawal': {
        if (!one || topics.length !== 2 || words < 1) {
          return
        }
        if (address !== wrappedNative) {
          if (one !== zeroAddress) {
            entry(counted.balances, `${one} ${address} 20`, () => ({ amount: 0n }))
            see(counted, address, 20, block)
          }
          return
        }
        const amount = BigInt(data.slice(0, 66))
        if (amount === 0n) {
          return
        }
        if (nameOf.get(first ?? '') === 'Deposit') {
          move(20, zeroAddress, one, amount)
        } else {
          move(20, one, zeroAddress, amount)
        }
        see(counted, address, 20, block)
        return
      }
      case 'TransferSingle': {
        if (topics.length !== 4 || !two || !three || words < 2) {
          return
        }
        const [id, amount] = decodeAbiParameters(parseAbiParameters('uint256, uint256'), data)
        moveItem(1155, two, three, id, amount)
        return
      }
      case 'TransferBatch': {
        const lists = decoded(() =>
          decodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), data),
        )
        if (topics.length !== 4 || !two || !three || !lists) {
          return
        }
        const [ids, amounts] = lists
        if (ids.length !== amounts.length) {
          return
        }
        for (const [index, id] of ids.entries()) {
          moveItem(1155, two, three, id, amounts[index] ?? 0n)
        }
        return
      }
      case 'PairCreated': {
        if (address !== uniswapV2Factory || !one || !two) {
          return
        }
        const pool = cleanAddress(`0x${data.slice(2, 66)}`) ?? ''
        counted.pools.set(pool, { kind: 'uniswap-v2', token0: one, token1: two, fee: null })
        see(counted, one, 20, block)
        see(counted, two, 20, block)
        return
      }
      case 'PoolCreated': {
        if (address !== uniswapV3Factory || !one || !two || !c) {
          return
        }
        const pool = cleanAddress(`0x${data.slice(66, 130)}`) ?? ''
        counted.pools.set(pool, { kind: 'uniswap-v3', token0: one, token1: two, fee: Number(c) })
        see(counted, one, 20, block)
        see(counted, two, 20, block)
        return
      }
      case 'Mint':
      case 'Burn': {
        if (counted.pools.get(address)?.kind !== 'uniswap-v3' || !b || !c) {
          return
        }
        const isMint = nameOf.get(first ?? '') === 'Mint'
        const amount = BigInt(`0x${isMint ? data.slice(66, 130) : data.slice(2, 66)}`)
        if (amount === 0n) {
          return
        }
        const key = `${address} ${BigInt.asIntN(24, BigInt(b))} ${BigInt.asIntN(24, BigInt(c))}`
        const before = counted.positions.get(key) ?? 0n
        counted.positions.set(key, before + (isMint ? amount : -amount))
        return
      }
      case 'OrderFulfilled':
        if (address === marketplace) {
          countSale(counted, log, wrappedNative)
        }
        return
      case undefined:
    }
  }
}

function countSale({ sales }: Counted, log: RawLog, wrappedNative: string): void {
  const order = decoded(() => decodeAbiParameters(sale, log.data))
  if (!order) {
    return
  }
  const [, , offer, consideration] = order
  const isMoney = ({ itemType, token }: { itemType: number; token: string }) =>
    itemType === 0 || (itemType === 1 && token.toLowerCase() === wrappedNative)
  const isNft = ({ itemType }: { itemType: number }) => itemType === 2 || itemType === 3
  const nfts = [...offer, ...consideration].filter(isNft)
  const [sold] = nfts
  if (!sold || nfts.length > 1 || sold.amount !== 1n) {
    return
  }
  if (![...offer, ...consideration].every((item) => isMoney(item) || isNft(item))) {
    return
  }
  const paying = offer.some(isNft) ? consideration : offer
  const price = paying.filter(isMoney).reduce((sum, { amount }) => sum + amount, 0n)
  if (price === 0n) {
    return
  }
  const at = `${Number(log.blockNumber)} ${Number(log.logIndex)}`
  sales.push(`${sold.token.toLowerCase()} ${sold.id} ${at} ${price}`)
}

function moveBalance(
  { balances }: Counted,
  move: {
    readonly token: string
    readonly standard: 20 | 721
    readonly from: string
    readonly to: string
    readonly amount: bigint
    readonly block: number
    /** The logged sender of the tokens, if it sent the transaction too. */
    readonly initiator: string | undefined
  },
): void {
  const rowOf = (holder: string) =>
    entry<string, BalanceRow>(balances, `${holder} ${move.token} ${move.standard}`, () => {
      return { amount: 0n }
    })
  if (move.from !== zeroAddress) {
    rowOf(move.from).amount -= move.amount
  }
  if (move.initiator !== undefined && move.initiator !== zeroAddress) {
    rowOf(move.initiator).initiated ??= move.block
  }
  if (move.to !== zeroAddress) {
    const row = rowOf(move.to)
    row.amount += move.amount
    row.firstIn ??= move.block
  }
}

function moveItems(
  { items, collectibles }: Counted,
  move: {
    readonly contract: string
    readonly id: bigint
    readonly from: string
    readonly to: string
    readonly amount: bigint
    readonly block: number
  },
): void {
  const { contract, id, from, to, amount, block } = move
  entry(collectibles, `${contract} ${id}`, () => block)
  const rowOf = (holder: string) =>
    entry<string, ItemRow>(items, `${holder} ${contract} ${id}`, () => ({ amount: 0n }))
  if (from !== zeroAddress) {
    rowOf(from).amount -= amount
  }
  if (to === zeroAddress) {
    return
  }
  const row = rowOf(to)
  row.amount += amount
  row.lastIn = block
}

function see({ tokens }: Counted, token: string, standard: number, block: number): void {
  entry(tokens, token, () => ({ standard, block }))
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    map.set(key, (value = create()))
  }
  return value
}

function cleanAddress(word: string | undefined): string | undefined {
  return word && `0x${word.slice(26)}`
}

function decoded<Value>(decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
