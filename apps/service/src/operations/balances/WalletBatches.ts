import type { HandlerContext } from '../Handler.ts'
import { findHeads } from '../loadHeads.ts'
import { loadWallets } from './loadWallets.ts'

/** Most wallets of a batch, which takes a few times as long as one of them. */
const maxWallets = 50
/** Batches of one key and its chains that are read at once. */
const maxRunning = 2

/** What the stores of a request's chains return of a batch. */
type BatchResult = Awaited<ReturnType<typeof readBatch>>

interface Batch {
  readonly wallets: Set<string>
  /** That of the first request. All have the same key and chains. */
  readonly context: HandlerContext
  readonly result: PromiseWithResolvers<BatchResult>
}

interface Lane {
  running: number
  readonly waiting: Batch[]
}

/**
 * Reads the rows and prices of wallets from the stores, those of concurrent requests together: a block changes several wallets,
 * whose clients request them at the same time, and the statements of one wallet take about as long as those of ten.
 */
export class WalletBatches {
  /** By key and chains: requests of different keys share the time of the store fairly. */
  readonly #lanes = new Map<string, Lane>()

  /** Reads a wallet, with others of the same key and chains that are requested meanwhile. */
  async read(wallet: string, context: HandlerContext): Promise<BatchResult> {
    const name = [context.keyId, ...context.chains.map(({ id }) => id)].join()
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: [] }
    this.#lanes.set(name, lane)
    let batch = lane.waiting.at(-1)
    if (!batch || batch.wallets.size >= maxWallets) {
      batch = { wallets: new Set(), context, result: Promise.withResolvers() }
      lane.waiting.push(batch)
      // Collects the requests that have arrived already.
      setImmediate(() => this.#start(name, lane))
    }
    batch.wallets.add(wallet)
    return await batch.result.promise
  }

  #start(name: string, lane: Lane): void {
    const batch = lane.running < maxRunning ? lane.waiting.shift() : undefined
    if (!batch) {
      if (lane.running === 0 && lane.waiting.length === 0) {
        this.#lanes.delete(name)
      }
      return
    }
    lane.running++
    const { result, context, wallets } = batch
    const reading = readBatch([...wallets], context).then(result.resolve, result.reject)
    void reading.finally(() => {
      lane.running--
      this.#start(name, lane)
    })
  }
}

async function readBatch(wallets: readonly string[], context: HandlerContext) {
  return await context.readStores(
    async (snapshot, chains) =>
      await loadWallets(snapshot, await findHeads(snapshot, chains, context), wallets, context),
  )
}
