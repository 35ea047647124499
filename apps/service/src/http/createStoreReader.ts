import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import { ApiError } from '../operations/ApiError.ts'
import type { HandlerContext, StoreResults } from '../operations/Handler.ts'
import type { ChainHeads } from '../operations/loadHeads.ts'
import { readSnapshot } from '../operations/readSnapshot.ts'
import type { BatchLanes } from '../queues/BatchLanes.ts'
import type { FairQueue } from '../queues/FairQueue.ts'
import { getStatus } from '../store/ChainWatch.ts'
import type { Database } from '../store/Database.ts'
import type { Head } from '../store/Head.ts'
import { isDatabaseUnavailable } from '../store/isDatabaseUnavailable.ts'
import { waitAtMost } from '../waitAtMost.ts'
import type { Service } from './Service.ts'

/**
 * A request waits for the publication of a block at most for this time, as a slow store may delay it. Without the wait, it
 * would load the prices that the publication carries, and delay it.
 */
const maxPublicationMs = 250

type Store = Service['stores']['main']

type Load<Result> = (snapshot: Kysely<Database>, chains: readonly ChainConfig[]) => Promise<Result>

/** A store, and the chains of a request in it. */
type StoreGroup = readonly [Store, readonly ChainConfig[]]

/**
 * Creates the functions that read the stores of a request's chains.
 *
 * @param queues - of the reads of each store.
 * @param context - the API key, by which the queues share the time of a store, and the signal, which aborts when all clients of
 *   the request have disconnected: its reads then leave the queue.
 */
export function createStoreReader(
  { stores, watch }: Pick<Service, 'stores' | 'watch'>,
  queues: ReadonlyMap<unknown, FairQueue>,
  requested: readonly ChainConfig[],
  {
    keyId,
    signal,
    batchLanes,
  }: Pick<HandlerContext, 'keyId' | 'signal'> & { readonly batchLanes: BatchLanes },
): Pick<
  HandlerContext,
  'getKnownHeads' | 'waitForHeads' | 'readStore' | 'readStores' | 'readTogether'
> {
  // Without chains, the main store is read.
  const [first = [stores.main, []] as const, ...others] = stores.group(requested)
  const groups: readonly StoreGroup[] = [first, ...others]
  let hasRead = false
  let waiting: Promise<boolean> | undefined
  // Once per request, also where blocks follow each other without a pause.
  const waitForHeads = () => (waiting ??= waitForPublication(watch, requested))

  const read = async <Result>(
    [store, chains]: StoreGroup,
    load: Load<Result>,
    isShared = false,
  ): Promise<Result> => {
    // Reads of a store that failed to respond recently would wait for its timeout.
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
  const readAll = async <Result>(load: Load<Result>, isShared = false) =>
    combineResults(
      groups,
      await Promise.allSettled(groups.map((group) => read(group, load, isShared))),
    )

  return {
    waitForHeads,
    getKnownHeads: () => findKnownHeads(watch, requested),
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

async function waitForPublication(
  watch: Pick<Service['watch'], 'publishing'>,
  chains: readonly ChainConfig[],
): Promise<boolean> {
  const publishing = chains.flatMap(({ id }) => watch.publishing(id) ?? [])
  if (publishing.length === 0) {
    return false
  }
  await waitAtMost(Promise.all(publishing), maxPublicationMs)
  return true
}

function findKnownHeads(
  watch: Pick<Service['watch'], 'get'>,
  chains: readonly ChainConfig[],
): ChainHeads | undefined {
  const heads = new Map<number, Head>()
  for (const chain of chains) {
    const state = chain.history === 'node' ? undefined : watch.get(chain.id)
    if (!state?.block || getStatus(state, chain) !== 'current') {
      return undefined
    }
    heads.set(chain.id, { ...state.block, metadataVersion: state.metadataVersion })
  }
  return { chains, heads, unavailable: [], stale: [], nodeBacked: [] }
}

/**
 * Combines the results of several stores.
 *
 * @throws {unknown} when all of them are unavailable, or a read failed for another reason.
 */
function combineResults<Result>(
  groups: readonly StoreGroup[],
  settled: readonly PromiseSettledResult<Result>[],
): StoreResults<Result> {
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

function isStoreUnavailable(error: unknown): boolean {
  return error instanceof ApiError
    ? error.code === 'STORE_UNAVAILABLE'
    : isDatabaseUnavailable(error)
}
