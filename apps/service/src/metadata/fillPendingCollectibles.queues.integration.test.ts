import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { boats, document, other, pendingCollectibles } from '../../test/pendingCollectibles.ts'
import { testAddress } from '../../test/seedChain.ts'
import { fromHex, toHex } from '../store/hex.ts'
import { markMetadataPending } from './markMetadataPending.ts'
import { requestCollectibles } from './requestCollectibles.ts'

describeEachStore('the queues of fillPendingCollectibles', (openTestStore) => {
  const kit = pendingCollectibles(openTestStore)
  const { fill, pages, read, seed, uris, versionOf } = kit

  it('increments the metadata version if a response may have contained the NFT', async () => {
    const store = await seed([boats, 1n], [boats, 2n], [boats, 3n])
    for (const id of [1, 2]) {
      uris[`tokenURI ${boats} ${id}`] = document({ name: 'Boat' })
    }
    uris[`tokenURI ${boats} 3`] = `${kit.web.url}/3`
    const version = await versionOf(store)
    await requestCollectibles(store.db, [{ chainId: 1, contract: boats, tokenId: 1n }])
    await fill(store, 'requested')
    expect(await versionOf(store)).toBe(version + 1)
    await fill(store)
    expect((await read(store)).map(({ name }) => name)).toEqual(['Boat', 'Boat', null])
    expect(await versionOf(store)).toBe(version + 1)
    const retry = async () => {
      await sql`update collectibles set retry_at = now()`.execute(store.db)
      await fill(store, 'retry')
    }
    await retry()
    expect(await versionOf(store)).toBe(version + 1)
    pages['/3'] = { name: 'Late' }
    await retry()
    expect(await versionOf(store)).toBe(version + 2)
  })

  it('reads a few NFTs of each contract in turn', async () => {
    const many = Array.from({ length: 50 }, (_, index) => [boats, BigInt(index)] as const)
    const lone = Array.from({ length: 20 }, (_, index) => [testAddress(100 + index), 1n] as const)
    const store = await seed(...many, ...lone)
    const first = await fill(store)
    expect(first).toEqual({ readCount: 4 + 11, last: testAddress(110) })
    const second = await fill(store, 'fresh', first.last)
    expect(second).toEqual({ readCount: 9, last: '' })
    const states = await store.db
      .selectFrom('collectibles')
      .select('contract')
      .where('metadata', '=', 'failed')
      .execute()
    expect(new Set(states.map(({ contract }) => toHex(contract))).size).toBe(21)
  })

  it('reads the newest NFTs of a contract first, and none above the head of the node', async () => {
    const store = await seed(
      ...[1n, 2n, 3n, 4n, 5n, 6n].map((id) => [boats, id, Number(id)] as const),
    )
    for (let block = 0; block < 5; block++) {
      kit.node.chain.mine([])
    }
    for (let id = 1; id <= 6; id++) {
      uris[`tokenURI ${boats} ${id}`] = document({ name: `${id}` })
    }
    await fill(store)
    expect((await read(store)).map(({ name }) => name)).toEqual([null, null, '3', '4', '5', null])
  })

  it('reads requested NFTs first', async () => {
    const store = await seed([boats, 1n], [boats, 2n], [other, 7n])
    for (const key of [`${boats} 1`, `${boats} 2`, `${other} 7`]) {
      uris[`tokenURI ${key}`] = document({ name: key })
    }
    const key = { chainId: 1, contract: boats, tokenId: 2n }
    expect(await fill(store, 'requested')).toMatchObject({ readCount: 0 })
    await requestCollectibles(store.db, [
      key,
      key,
      { ...key, chainId: 2 },
      { ...key, tokenId: 99n },
    ])
    expect(await fill(store, 'requested')).toMatchObject({ readCount: 1 })
    expect((await read(store)).map(({ name }) => name)).toEqual([null, `${boats} 2`, null])
    expect(await fill(store, 'requested')).toMatchObject({ readCount: 0 })
    // An NFT that was read is not queued again.
    await requestCollectibles(store.db, [key])
    expect(await fill(store, 'requested')).toMatchObject({ readCount: 0 })
    expect(await fill(store)).toMatchObject({ readCount: 2 })
  })

  it('refetches NFTs, and keeps the current values until then', async () => {
    const store = await seed([boats, 1n], [boats, 2n], [other, 7n])
    for (const key of [`${boats} 1`, `${boats} 2`, `${other} 7`]) {
      uris[`tokenURI ${key}`] = document({ name: 'old' })
    }
    await fill(store)
    for (const key of Object.keys(uris)) {
      uris[key] = document({ name: 'new' })
    }
    const collection = { chainId: 1, contract: boats }
    expect(await markMetadataPending(store.db, { ...collection, tokenId: 2n })).toEqual({
      tokens: 0,
      collectibles: 1,
    })
    expect((await read(store)).map(({ name }) => name)).toEqual(['old', 'old', 'old'])
    await fill(store, 'requested')
    expect((await read(store)).map(({ name }) => name)).toEqual(['old', 'new', 'old'])
    expect(await markMetadataPending(store.db, collection)).toEqual({ tokens: 1, collectibles: 2 })
    await fill(store, 'requested')
    expect((await read(store)).map(({ name }) => name)).toEqual(['new', 'new', 'old'])
    expect(
      await markMetadataPending(store.db, { ...collection, contract: testAddress(9) }),
    ).toEqual({
      tokens: 0,
      collectibles: 0,
    })
  })

  it('finds pending NFTs by an index', async () => {
    const store = await seed([boats, 1n])
    await sql`
      insert into collectibles (chain_id, contract, token_id, first_block, metadata)
      select 1, ${fromHex(boats)}, id, 0, 'read' from generate_series(100, 20100) as id`.execute(
      store.db,
    )
    await sql`analyze collectibles`.execute(store.db)
    const plan = await sql<{ 'QUERY PLAN': string }>`
      explain select contract from collectibles
      where chain_id = 1 and metadata = 'pending' and retry_at is null and requested_at is null
        and contract > '\\x' order by contract limit 1`.execute(store.db)
    expect(JSON.stringify(plan.rows)).toContain('collectibles_1_fresh')
  })
})
