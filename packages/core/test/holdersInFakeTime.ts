import { beforeEach } from 'vitest'
import type { CollectionOptions, Holder } from '../src/index.ts'
import { watchTokenHolders } from '../src/operations/tokenHolders.ts'
import { otherAddress } from './balances.ts'
import { pass, record } from './clientsInFakeTime.ts'
import { json } from './createFakeService.ts'
import { createHolders, holder } from './createHolders.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'

/** The token whose holders are listed. */
export const token = { chainId: 1, address: otherAddress }

/** Lets the tests of a file run in fake time on a service that lists holders in pages of ten: 35, unless told otherwise. */
export function holdersInFakeTime() {
  const { service, create } = serviceInFakeTime()
  const list = createHolders(0, 10)
  const { readCursor } = list

  /** Lists so many holders. */
  function serve(count: number) {
    list.holders = createHolders(count).holders
    list.readCursor = readCursor
    service.answer = () => json(list.answer(service.asked.at(-1)!.url))
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
    /** Watches a listing of which so many pages were read. */
    async watchLoaded(pages: number) {
      const watched = watch()
      await pass(0)
      void watched.now().fetchAll({ maxPages: pages })
      await pass(0)
      service.asked.length = 0
      return watched
    },
    /** Gives a holder another balance; 0 for leaving. */
    change(index: number, amount: number) {
      const { wallet_address } = holder(index)
      list.holders = list.holders.filter((each) => each.wallet_address !== wallet_address)
      if (amount > 0) {
        list.holders.push(holder(index, amount))
      }
    },
    /** Of each request, whether it asked for a page below the first. */
    offsets: () => service.asked.map(({ url }) => new URL(url).searchParams.get('offset') !== null),
  }
}
