import { hash } from 'node:crypto'
import {
  encodeAbiParameters,
  keccak256,
  numberToHex,
  padHex,
  toEventSelector,
  zeroAddress,
} from 'viem'
import type { SyntheticChain, SyntheticPair } from './SyntheticChain.ts'

type Hex = `0x${string}`

/** A log of a node. */
export interface SyntheticLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: Hex
  readonly blockHash: string
  readonly transactionHash: string
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: false
}

/** A list of values for each topic; null for any value. */
export interface LogFilter {
  readonly address?: string | readonly string[]
  readonly topics?: readonly (string | readonly string[] | null)[]
}

const topic = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  pair: toEventSelector('PairCreated(address,address,address,uint256)'),
  sync: toEventSelector('Sync(uint112,uint112)'),
}
const zeroWord: Hex = `0x${'0'.repeat(64)}`
const bloomBytes = 256
/** The logs of a block are those of so many transactions. */
const transactionsPerBlock = 2

/**
 * The blocks, receipts and logs of a synthetic chain in the format of a node. The bloom filters are those of the logs; hashes
 * and roots are other values, which identify blocks but are not those of their content.
 */
export class SyntheticBlocks {
  readonly #chain: SyntheticChain
  readonly #numbers = new Map<string, number>()
  readonly #accountTopics: readonly string[]
  readonly #bits = new Map<string, readonly number[]>()

  constructor(chain: SyntheticChain) {
    this.#chain = chain
    this.#accountTopics = chain.accounts.map((address) => padHex(address as Hex))
  }

  /** The hash of a block. Those that clients know are remembered. */
  hashOf(number: number): string {
    const blockHash = this.#hash('block', number)
    this.#numbers.set(blockHash, number)
    return blockHash
  }

  /** @returns undefined for a block that does not exist. */
  findNumber(blockHash: string): number | undefined {
    return this.#numbers.get(blockHash)
  }

  logsOf(number: number): SyntheticLog[] {
    const entries = this.#entriesOf(number)
    const blockHash = this.hashOf(number)
    const perTransaction = Math.ceil(entries.length / transactionsPerBlock)
    const hashes = Array.from({ length: transactionsPerBlock }, (_, index) =>
      this.#hash('transaction', number, index),
    )
    return entries.map((entry, index) => {
      const transaction = Math.floor(index / perTransaction)
      return {
        ...entry,
        blockNumber: numberToHex(number),
        blockHash,
        transactionHash: hashes[transaction] ?? '',
        transactionIndex: numberToHex(transaction),
        logIndex: numberToHex(index),
        removed: false,
      }
    })
  }

  /** The logs of a range of blocks that match a filter. */
  findLogs(from: number, to: number, { address, topics = [] }: LogFilter): SyntheticLog[] {
    const addresses = address === undefined ? undefined : new Set([address].flat().map(lower))
    const filters = topics.map((values) =>
      values === null ? undefined : new Set([values].flat().map((value) => lower(value as string))),
    )
    const found: SyntheticLog[] = []
    for (let number = from; number <= Math.min(to, this.#chain.head); number++) {
      const matching = (log: { readonly address: string; readonly topics: readonly string[] }) =>
        (!addresses || addresses.has(log.address)) &&
        filters.every((values, index) => !values || values.has(log.topics[index] ?? ''))
      if (this.#entriesOf(number).some(matching)) {
        found.push(...this.logsOf(number).filter(matching))
      }
    }
    return found
  }

  /** @returns null for a block that does not exist. */
  blockOf(number: number, isFull: boolean): object | null {
    const { head, genesisTime, options } = this.#chain
    if (number < 0 || number > head) {
      return null
    }
    const logs = this.logsOf(number)
    const transactions = [...new Set(logs.map(({ transactionHash }) => transactionHash))]
    return {
      number: numberToHex(number),
      hash: this.hashOf(number),
      parentHash: number === 0 ? zeroWord : this.hashOf(number - 1),
      timestamp: numberToHex(genesisTime + number * options.secondsBetweenBlocks),
      logsBloom: this.#bloomOf(logs),
      transactions: isFull
        ? transactions.map((each, index) => this.#transactionOf(number, each, index))
        : transactions,
      miner: zeroAddress,
      difficulty: '0x0',
      totalDifficulty: '0x0',
      extraData: '0x',
      gasLimit: '0x1c9c380',
      gasUsed: '0x5208',
      baseFeePerGas: '0x7',
      size: '0x400',
      nonce: '0x0000000000000000',
      mixHash: zeroWord,
      sha3Uncles: zeroWord,
      uncles: [],
      stateRoot: this.#hash('state', number),
      transactionsRoot: this.#hash('transactions', number),
      receiptsRoot: this.#hash('receipts', number),
    }
  }

  /** @returns null for a block that does not exist. */
  receiptsOf(number: number): object[] | null {
    if (number < 0 || number > this.#chain.head) {
      return null
    }
    const all = this.logsOf(number)
    const transactions = [...new Set(all.map(({ transactionHash }) => transactionHash))]
    const logsOf = (hash: string) => all.filter(({ transactionHash }) => transactionHash === hash)
    const receipts = transactions.map((hash) => [hash, logsOf(hash)] as const)
    return receipts.map(([transactionHash, logs], index) => ({
      transactionHash,
      transactionIndex: numberToHex(index),
      logs,
      blockNumber: numberToHex(number),
      blockHash: this.hashOf(number),
      from: this.#senderOf(number),
      to: logs[0]?.address,
      contractAddress: null,
      status: '0x1',
      type: '0x2',
      gasUsed: '0x5208',
      effectiveGasPrice: '0x7',
      cumulativeGasUsed: numberToHex(21_000 * (index + 1)),
      logsBloom: this.#bloomOf(logs),
    }))
  }

  #transactionOf(number: number, transactionHash: string, index: number): object {
    return {
      hash: transactionHash,
      transactionIndex: numberToHex(index),
      input: '0x',
      value: '0x0',
      blockNumber: numberToHex(number),
      blockHash: this.hashOf(number),
      from: this.#senderOf(number),
      to: this.#chain.options.tokens[0]?.address,
      gas: '0x5208',
      gasPrice: '0x7',
      maxFeePerGas: '0x7',
      maxPriorityFeePerGas: '0x0',
      nonce: numberToHex(number),
      type: '0x2',
      accessList: [],
      v: '0x0',
      r: '0x1',
      s: '0x1',
      chainId: numberToHex(this.#chain.options.chainId),
    }
  }

  #senderOf(number: number): string | undefined {
    return this.#chain.accounts[number % this.#chain.accounts.length]
  }

  #entriesOf(number: number): Pick<SyntheticLog, 'address' | 'topics' | 'data'>[] {
    const { tokens, pairs = [] } = this.#chain.options
    if (number === 1) {
      const mints = tokens.map(({ address }, token) => ({
        address,
        topics: [topic.transfer, zeroWord, this.#accountTopics[0] ?? ''],
        data: numberToHex(this.#chain.supplyOf(token), { size: 32 }),
      }))
      const created = pairs.flatMap((pair, index) => [
        {
          address: pair.factory,
          topics: [topic.pair, ...pair.tokens.map((token) => padHex(token as Hex))],
          data: encodeAbiParameters(
            [{ type: 'address' }, { type: 'uint256' }],
            [pair.address as Hex, BigInt(index + 1)],
          ),
        },
        this.#syncOf(pair, number),
      ])
      return [...mints, ...created]
    }
    const transfers = this.#chain.transfersOf(number).map(({ token, from, to, amount }) => ({
      address: tokens[token]?.address ?? '',
      topics: [topic.transfer, this.#accountTopics[from] ?? '', this.#accountTopics[to] ?? ''],
      data: numberToHex(BigInt(amount) * this.#chain.unitOf(token), { size: 32 }),
    }))
    const synced = pairs.filter(
      ({ blocksPerSync }) => blocksPerSync !== undefined && number % blocksPerSync === 0,
    )
    return [...transfers, ...synced.map((pair) => this.#syncOf(pair, number))]
  }

  #syncOf(pair: SyntheticPair, number: number): Pick<SyntheticLog, 'address' | 'topics' | 'data'> {
    const words = this.#chain
      .reservesOf(pair, number)
      .map((reserve) => numberToHex(reserve, { size: 32 }).slice(2))
    return { address: pair.address, topics: [topic.sync], data: `0x${words.join('')}` }
  }

  #bloomOf(logs: readonly SyntheticLog[]): string {
    const bloom = Buffer.alloc(bloomBytes)
    for (const entry of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
      for (const bit of this.#bitsOf(entry)) {
        const index = bloomBytes - 1 - (bit >> 3)
        bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
      }
    }
    return `0x${bloom.toString('hex')}`
  }

  #bitsOf(entry: string): readonly number[] {
    let bits = this.#bits.get(entry)
    if (!bits) {
      const digest = keccak256(entry as Hex, 'bytes')
      bits = [0, 2, 4].map((at) => (((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0)) & 2047)
      this.#bits.set(entry, bits)
    }
    return bits
  }

  #hash(...parts: readonly (string | number)[]): string {
    const { chainId, seed } = this.#chain.options
    return `0x${hash('sha256', [chainId, seed, ...parts].join())}`
  }
}

function lower(text: string): string {
  return text.toLowerCase()
}
