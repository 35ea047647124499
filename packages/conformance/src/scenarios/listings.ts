import { assert } from 'chai'
import { addressQueryFilter, balancesQueryFilter } from '@headwater/core'
import { scenario } from '../Scenario.ts'
import type { Stage } from '../Stage.ts'
import { view } from '../View.ts'
import { listing, tokenHolders, writing } from '../views.ts'
import { alice, countRequests, interval } from './world.ts'

/** A wallet with more tokens on the first chain than fit a page, and their number. */
function findWhale({ service }: Stage): { address: string; total: number } {
  const { address } = service.wallet('whale')
  const plain = service.tokens.filter(
    ({ chainId, symbol }) => chainId === 1 && /^T\d/.test(symbol!),
  )
  // And four others.
  return { address, total: plain.length + 4 }
}

/** Number of rows of a page of balances. */
const page = 1000

/** Listings: pages, merging and their end. */
export const listings = [
  scenario('shows the first page and hasNextPage', async (stage) => {
    const { address } = findWhale(stage)
    const shown = await stage.mount(stage.createClient(), listing(address))
    assert.equal(shown.text(), `success ${page} of more`)
    assert.equal(countRequests(stage), 1)
  }),

  scenario('appends the next page, and shows isFetchingNextPage meanwhile', async (stage) => {
    const { address, total } = findWhale(stage)
    const shown = await stage.mount(stage.createClient(), listing(address))
    const first = shown.value('balances').data!
    stage.service.fail({ kind: 'slow', delay: 300 })
    const fetched = shown.value('balances').fetchNextPage()
    await stage.pass(100)
    assert.equal(shown.text(), `success ${page} of more fetching`)
    await stage.pass(300)
    await fetched
    assert.equal(shown.text(), `success ${total}`)
    const rows = shown.value('balances').data!
    assert.isTrue(first.every((row, index) => row === rows[index]))
  }),

  scenario('refetches the pages after the first at tailRefetchInterval', async (stage) => {
    const { address, total } = findWhale(stage)
    const options = { tailRefetchInterval: 60_000 }
    const shown = await stage.mount(stage.createClient(), listing(address, options))
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    const last = shown.value('balances').data!.at(-1)!
    stage.service.setAmount(address, { chainId: 1, address: last.address }, 0n)
    await stage.pass(50_000)
    assert.equal(shown.text(), `success ${total}`)
    await stage.pass(10_200)
    assert.equal(shown.text(), `success ${total - 1} ROWS_MOVED`)
    await stage.pass(61_000)
    assert.equal(shown.text(), `success ${total - 1}`)
  }),

  scenario('sends one request for a page that two components fetch', async (stage) => {
    const { address, total } = findWhale(stage)
    const shown = await stage.mount(stage.createClient(), listing(address), listing(address))
    void shown.value('balances', 0).fetchNextPage()
    await shown.value('balances', 1).fetchNextPage()
    await stage.pass(0)
    assert.equal(shown.text(0), `success ${total}`)
    assert.equal(shown.text(1), `success ${total}`)
    assert.equal(countRequests(stage), 2)
  }),

  scenario('does nothing after the last page', async (stage) => {
    const { address, total } = findWhale(stage)
    const shown = await stage.mount(stage.createClient(), listing(address))
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    const before = shown.rendered().length
    await shown.value('balances').fetchNextPage()
    await shown.value('balances').fetchAll()
    await stage.pass(0)
    assert.equal(shown.text(), `success ${total}`)
    assert.lengthOf(shown.rendered(), before)
    assert.equal(countRequests(stage), 2)
  }),

  scenario('fetches all pages', async (stage) => {
    const { chainId, address } = stage.service.token('CROWD')
    const shown = await stage.mount(stage.createClient(), tokenHolders({ chainId, address }))
    assert.match(shown.text()!, /^success 500, /)
    const seen: number[] = []
    await shown.value('tokenHolders').fetchAll({ onProgress: ({ pages }) => seen.push(pages) })
    await stage.pass(0)
    assert.match(shown.text()!, /^success 2000, /)
    assert.isFalse(shown.value('tokenHolders').hasNextPage)
    assert.deepEqual(seen, [2, 3, 4])
    assert.equal(countRequests(stage), 4)
  }),

  scenario('stops fetching pages when it is unmounted', async (stage) => {
    const { chainId, address } = stage.service.token('CROWD')
    const shown = await stage.mount(stage.createClient(), tokenHolders({ chainId, address }))
    stage.service.fail({ kind: 'slow', delay: 300 })
    const read = shown.value('tokenHolders').fetchAll()
    await stage.pass(400)
    await shown.unmount()
    await stage.pass(5000)
    await read
    assert.equal(countRequests(stage), 3)
  }),

  scenario('appends rows by pageSize without a request for each', async (stage) => {
    const { address } = findWhale(stage)
    const shown = await stage.mount(stage.createClient(), listing(address, { pageSize: 400 }))
    assert.equal(shown.text(), 'success 400 of more')
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    assert.equal(shown.text(), 'success 800 of more')
    assert.equal(countRequests(stage), 1)
    await shown.value('balances').fetchNextPage()
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    assert.equal(countRequests(stage), 2)
  }),

  scenario('warns when maxPages truncates a listing', async (stage) => {
    const { address } = findWhale(stage)
    const shown = await stage.mount(stage.createClient(), listing(address, { maxPages: 1 }))
    await shown.value('balances').fetchAll()
    await stage.pass(0)
    assert.equal(shown.text(), `success ${page} MAX_PAGES`)
    assert.equal(countRequests(stage), 1)
  }),

  scenario('polls only the first page, and keeps the others', async (stage) => {
    const { address, total } = findWhale(stage)
    const shown = await stage.mount(stage.createClient(), listing(address))
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    const [before] = shown.value('balances').data!
    stage.service.setAmount(
      address,
      { chainId: 1, address: before!.address },
      BigInt(before!.amount) + 1n,
    )
    await stage.pass(interval)
    assert.equal(countRequests(stage), 3)
    assert.notProperty(stage.service.requests[2]!.parameters, 'offset')
    const [after] = shown.value('balances').data!
    assert.equal(BigInt(after!.amount), BigInt(before!.amount) + 1n)
    assert.equal(shown.text(), `success ${total}`)
  }),

  scenario('merges pages without duplicates when rows move between them', async (stage) => {
    const { address, total } = findWhale(stage)
    stage.service.fail({ kind: 'reorder' })
    const shown = await stage.mount(stage.createClient(), listing(address))
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    assert.equal(shown.text(), `success ${total}`)
    const addresses = shown.value('balances').data!.map((row) => row.address)
    assert.equal(new Set(addresses).size, total)
  }),

  scenario('refetches all loaded pages when its queries are invalidated', async (stage) => {
    const client = stage.createClient()
    const { address } = findWhale(stage)
    const shown = await stage.mount(client, listing(address))
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    const before = countRequests(stage)
    await client.queryClient.invalidateQueries(balancesQueryFilter(client, { address }))
    await stage.pass(0)
    assert.equal(countRequests(stage), before + 2)
    await client.queryClient.invalidateQueries(addressQueryFilter(client, address))
    await stage.pass(0)
    assert.equal(countRequests(stage), before + 4)
    await client.queryClient.invalidateQueries(balancesQueryFilter(client, { address: alice }))
    await stage.pass(0)
    assert.equal(countRequests(stage), before + 4)
  }),

  scenario('ends a listing with an invalid cursor, and warns', async (stage) => {
    const { address } = findWhale(stage)
    stage.service.fail({ kind: 'deadCursor' })
    const shown = await stage.mount(stage.createClient(), listing(address))
    await shown.value('balances').fetchAll()
    await stage.pass(0)
    assert.equal(shown.text(), `success ${page} LISTING_LOOPS`)
    assert.equal(countRequests(stage), 2)
  }),

  scenario('shows the error of a page beside the rows, and fetches it again', async (stage) => {
    const { address, total } = findWhale(stage)
    const shown = await stage.mount(stage.createClient(), listing(address))
    const heal = stage.service.fail({ status: 404 })
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    assert.equal(shown.text(), `error ${page} ! HttpError of more`)
    heal()
    await shown.value('balances').fetchNextPage()
    await stage.pass(0)
    assert.equal(shown.text(), `success ${total}`)
  }),

  scenario('shows valid items, and warns of malformed ones', async (stage) => {
    const { address } = stage.service.wallet('everyday')
    const shown = await stage.mount(stage.createClient(), listing(address))
    const all = shown.value('balances').data!.length
    stage.service.fail({ kind: 'halfValid' })
    await stage.pass(interval)
    const { data, warnings } = shown.value('balances')
    assert.isBelow(data!.length, all)
    assert.isAbove(data!.length, 0)
    assert.sameMembers(
      warnings.map(({ code }) => code),
      ['MALFORMED_FIELDS', 'MALFORMED_ITEMS'],
    )
    assert.equal(shown.value('balances').status, 'success')
  }),

  scenario('shows the warnings and the errors of the service beside the rows', async (stage) => {
    const { address } = stage.service.wallet('everyday')
    stage.service.fail({ kind: 'warning' })
    stage.service.fail({ kind: 'unreadable' })
    const shown = await stage.mount(stage.createClient(), listing(address))
    assert.match(shown.text()!, /^success \d FAKE_WARNING$/)
    assert.lengthOf(shown.value('balances').errors!.token_errors!, 1)
    stage.service.heal()
    await stage.pass(interval)
    assert.match(shown.text()!, /^success \d$/)
    assert.isUndefined(shown.value('balances').errors)
  }),

  scenario('lists the NFTs of a wallet', async (stage) => {
    const { address } = stage.service.wallet('collector')
    const shown = await stage.mount(
      stage.createClient(),
      view(
        'collectibles',
        { address },
        { pageSize: 250 },
        writing((rows) => `${rows.length}, first ${rows[0]?.token_id}`),
      ),
    )
    assert.match(shown.text()!, /^success 250, first \d+$/)
    assert.isTrue(shown.value('collectibles').hasNextPage)
    await shown.value('collectibles').fetchAll()
    await stage.pass(0)
    assert.match(shown.text()!, /^success 620, first \d+$/)
    const ids = shown.value('collectibles').data!.map((row) => `${row.chain_id} ${row.token_id}`)
    assert.equal(new Set(ids).size, 620)
  }),
]
