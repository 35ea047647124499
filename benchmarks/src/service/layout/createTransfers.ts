import { createHash } from 'node:crypto'

/** A row of the ledger; or the change of its amount by a block. */
export interface Pair {
  readonly holder: string
  readonly token: string
  readonly amount: bigint
}

/** Blocks of transfers between the holders of a ledger. */
export interface Transfers {
  /** The ledger before the first block. */
  readonly pairs: readonly Pair[]
  /** The token with the most holders and transfers. */
  readonly busyToken: string
  /** The net changes of the next block, each pair once. */
  readonly nextBlock: () => Pair[]
}

export interface TransferOptions {
  readonly pairs: number
  readonly tokens: number
  readonly perBlock: number
  /** A transfer moves up to this share of the smaller of both balances, in thousandths. */
  readonly share: number
}

/**
 * Creates the same transfers for each call: tokens and holders by popularity (Zipf), balances over nine orders of
 * magnitude.
 */
export function createTransfers({ pairs, tokens, perBlock, share }: TransferOptions): Transfers {
  const random = createRandom(12_345)
  const zipf = (count: number) => Math.min(count - 1, Math.floor(count ** random()) - 1)
  const tokenAddresses = Array.from({ length: tokens }, (_, index) => toAddress(`token ${index}`))
  const ledger: { holder: string; token: string; amount: bigint }[][] = tokenAddresses.map(() => [])
  for (let index = 0; index < pairs; index++) {
    const holders = ledger[zipf(tokens)]
    const token = tokenAddresses[ledger.indexOf(holders ?? [])] ?? ''
    const amount = BigInt(Math.floor(10 ** (15 + 9 * random())))
    holders?.push({ holder: toAddress(`holder ${index}`), token, amount })
  }
  return {
    pairs: ledger.flat().map((pair) => ({ ...pair })),
    busyToken: tokenAddresses[0] ?? '',
    nextBlock() {
      const before = new Map<Pair, bigint>()
      for (let transfer = 0; transfer < perBlock; transfer++) {
        const holders = ledger[zipf(tokens)] ?? []
        const from = holders[zipf(holders.length)]
        const to = holders[zipf(holders.length)]
        if (!from || !to || from === to) {
          continue
        }
        const smaller = from.amount < to.amount ? from.amount : to.amount
        const amount = (smaller * BigInt(Math.floor(random() * share * 1000))) / 1_000_000n
        for (const pair of [from, to]) {
          before.set(pair, before.get(pair) ?? pair.amount)
        }
        from.amount -= amount
        to.amount += amount
      }
      return [...before].map(([pair, amount]) => ({ ...pair, amount: pair.amount - amount }))
    },
  }
}

/** Numbers below 1 from a linear congruential generator. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

/** An address, as the first 20 bytes of a hash. */
function toAddress(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
}
