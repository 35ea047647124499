import { beforeEach } from 'vitest'
import type { CollectionOptions, Holder } from '../src/index.ts'
import { watchTokenHolders } from '../src/operations/tokenHolders.ts'
import { otherAddress } from './balances.ts'
import { advance, record } from './clientsInFakeTime.ts'
import { json } from './createFakeService.ts'
import { createHolders, holder } from './createHolders.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'

/** The token whose holders are listed. */
export const token = { chainId: 1, address: otherAddress }

/** Runs the tests of a file in fake time on a service that lists 35 holders in pages of ten. */
export function holdersInFakeTime() {
  const { service, create } = serviceInFakeTime()
  const list = createHolders(0, 10)
  const { readCursor } = list

  /** Sets the number of holders. */
  function serve(count: number) {
    list.holders = createHolders(count).holders
    list.readCursor = readCursor
    service.respond = () => json(list.respond(service.requests.at(-1)!.url))
  }
  beforeEach(() => serve(35))

  function watch<S = readonly Holder[]>(
    options: CollectionOptions<Holder, S> = {},
    client = create(),
  ) {
    const recorded = record(watchTokenHolders(client, token, options))
    return { ...recorded, client, now: recorded.stream.getSnapshot }
  }

  return {
    service,
    create,
    list,
    serve,
    watch,
    /** Watches a listing and loads this many pages. */
    async watchLoaded(pages: number) {
      const watched = watch()
      await advance(0)
      void watched.now().fetchAll({ maxPages: pages })
      await advance(0)
      service.requests.length = 0
      return watched
    },
    /** Changes the balance of a holder; 0 removes it. */
    change(index: number, amount: number) {
      const { wallet_address } = holder(index)
      list.holders = list.holders.filter((each) => each.wallet_address !== wallet_address)
      if (amount > 0) {
        list.holders.push(holder(index, amount))
      }
    },
    /** For each request, whether it requested a page after the first. */
    offsets: () =>
      service.requests.map(({ url }) => new URL(url).searchParams.get('offset') !== null),
  }
}
