import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import { ApiError } from '../operations/ApiError.ts'
import type { HandlerContext } from '../operations/Handler.ts'
import type { Head } from '../operations/loadHeads.ts'
import { readSnapshot } from '../operations/readSnapshot.ts'
import type { FairQueue } from '../queues/FairQueue.ts'
import { getStatus } from '../store/ChainWatch.ts'
import type { Database } from '../store/Database.ts'
import { isDatabaseUnavailable } from '../store/isDatabaseUnavailable.ts'
import { waitAtMost } from '../waitAtMost.ts'
import type { Service } from './Service.ts'

/**
 * A request waits for the publication of a block at most for this time, as a slow store may delay it. A request that does not
 * wait loads what the publication carries, and delays it.
 */
const maxPublicationMs = 250

/**
 * Creates the functions that read the stores of a request's chains. A store that failed to respond recently is not read,
 * unless it is the main one, as each request would wait for its timeout.
 *
 * @param queues - of the reads of each store.
 * @param context - the API key, whose requests share the time of the store with those of others, and the signal, which aborts
 *   when no client waits for the response. What waits for the store then leaves the queue.
 */
export function createStoreReader(
  { stores, watch }: Pick<Service, 'stores' | 'watch'>,
  queues: ReadonlyMap<unknown, FairQueue>,
  requested: readonly ChainConfig[],
  { keyId, signal, batchLanes }: Pick<HandlerContext, 'keyId' | 'signal' | 'batchLanes'>,
): Pick<
  HandlerContext,
  'getKnownHeads' | 'waitForHeads' | 'readStore' | 'readStores' | 'readTogether'
> {
  // Without chains, the main store is read.
  const [first = [stores.main, []] as const, ...others] = stores.group(requested)
  const groups = [first, ...others]
  let hasRead = false
  const read = async <Result>(
    [store, chains]: typeof first,
    load: (snapshot: Kysely<Database>, chains: readonly ChainConfig[]) => Promise<Result>,
    isShared = false,
  ): Promise<Result> => {
    const isAway = ({ id }: ChainConfig) => !stores.isReady(id) || watch.isUnavailable(id)
    if (store !== stores.main && chains.some(isAway)) {
      throw new ApiError(503, 'STORE_UNAVAILABLE', 'The service cannot read its data now', {
        retryAfterSeconds: 5,
      })
    }
    await waitForHeads()
    const queue = queues.get(store) as FairQueue
    const start = () => {
      hasRead = true
      return readSnapshot(store.reader, (snapshot) => load(snapshot, chains))
    }
    // A request that has read a store is completed and charged.
    return await queue.run(keyId, start, isShared || hasRead ? undefined : signal)
  }
  const wait = async (): Promise<boolean> => {
    const publishing = requested.flatMap(({ id }) => watch.publishing(id) ?? [])
    if (publishing.length === 0) {
      return false
    }
    await waitAtMost(Promise.all(publishing), maxPublicationMs)
    return true
  }
  const readAll = async <Result>(
    load: (snapshot: Kysely<Database>, chains: readonly ChainConfig[]) => Promise<Result>,
    isShared = false,
  ) => {
    const settled = await Promise.allSettled(groups.map((group) => read(group, load, isShared)))
    const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    const fatal = failures.find((reason: unknown) => !isStoreUnavailable(reason)) as unknown
    if (fatal !== undefined || failures.length === groups.length) {
      throw (fatal ?? failures[0]) as Error
    }
    return {
      results: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      unreachable: groups.flatMap(([, chains], index) =>
        settled[index]?.status === 'rejected' ? chains : [],
      ),
    }
  }
  let waiting: Promise<boolean> | undefined
  // Once per request, also where blocks follow each other without a pause.
  const waitForHeads = () => (waiting ??= wait())
  return {
    waitForHeads,
    getKnownHeads() {
      const heads = new Map<number, Head>()
      for (const chain of requested) {
        const state = chain.history === 'node' ? undefined : watch.get(chain.id)
        if (!state?.block || getStatus(state, chain) !== 'current') {
          return undefined
        }
        heads.set(chain.id, { ...state.block, metadataVersion: state.metadataVersion })
      }
      return { chains: requested, heads, unavailable: [], stale: [], nodeBacked: [] }
    },
    readStore: async (load) => await read(first, load),
    readStores: async (load) => await readAll(load),
    async readTogether(item, load) {
      // Different keys share the time of the store fairly.
      const lane = [keyId, ...requested.map(({ id }) => id)].join()
      const result = await batchLanes.read(
        lane,
        item,
        (items) => readAll((snapshot, chains) => load(snapshot, chains, items), true),
        signal,
      )
      // Also where another request of the batch has read it.
      hasRead = true
      return result
    },
  }
}

function isStoreUnavailable(error: unknown): boolean {
  return error instanceof ApiError
    ? error.code === 'STORE_UNAVAILABLE'
    : isDatabaseUnavailable(error)
}
