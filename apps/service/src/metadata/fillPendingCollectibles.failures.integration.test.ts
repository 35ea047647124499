import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { boats, document, other, pendingCollectibles } from '../../test/pendingCollectibles.ts'
import { FakeNodeCrash, FakeNodeError } from '../../test/startFakeNode.ts'
import { publicInternet } from '../media/NetworkPolicy.ts'

describeEachStore('fillPendingCollectibles after failures', (openTestStore) => {
  const kit = pendingCollectibles(openTestStore)
  const { fill, pages, read, seed, states, uris } = kit

  it('does not retry what cannot succeed', async () => {
    const ids = [1n, 2n, 3n, 4n] as const
    const store = await seed(...ids.map((id) => [boats, id] as const), [other, 1n])
    Object.assign(uris, {
      [`tokenURI ${boats} 2`]: '',
      [`tokenURI ${boats} 3`]: 'file:///etc/passwd',
      [`tokenURI ${boats} 4`]: 'data:application/json,not JSON',
      [`tokenURI ${other} 1`]: `${kit.web.url}/secret`,
    })
    Object.assign(pages, { '/secret': { name: 'secret' } })
    await fill(store, 'fresh', '', { ...publicInternet, allowsPort: () => true })
    expect(await states(store)).toEqual(Array(5).fill('failed'))
    expect(kit.web.requested).toEqual([])
  })

  it('retries an unavailable document with growing delays, and fails in the end', async () => {
    const store = await seed([boats, 1n], [boats, 2n])
    Object.assign(uris, {
      [`tokenURI ${boats} 1`]: `${kit.web.url}/1`,
      [`tokenURI ${boats} 2`]: `${kit.web.url}/2`,
    })
    Object.assign(pages, { '/1': 503, '/2': '<html>busy</html>' })
    const passTime = () =>
      sql`update collectibles set retry_at = retry_at - interval '2 days'`.execute(store.db)
    await fill(store)
    const delays: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await read(store)).toMatchObject(
        Array(2).fill({ metadata: 'pending', attempts: attempt }),
      )
      expect(await fill(store, 'retry')).toMatchObject({ readCount: 0 })
      const { rows } = await sql<{ seconds: number }>`
        select round(extract(epoch from min(retry_at) - now()) / 60)::int as seconds from collectibles`.execute(
        store.db,
      )
      delays.push(rows[0]?.seconds ?? 0)
      await passTime()
      expect(await fill(store, 'retry')).toMatchObject({ readCount: 2 })
    }
    expect(delays).toEqual([1, 10, 60, 360, 1440])
    expect(await read(store)).toMatchObject(
      ['/1', '/2'].map((path) => ({ metadata: 'failed', attempts: 6, uri: kit.web.url + path })),
    )
    await passTime()
    expect(await fill(store, 'retry')).toMatchObject({ readCount: 0 })
  })

  it('reads a document that becomes available', async () => {
    const store = await seed([boats, 1n])
    Object.assign(uris, { [`tokenURI ${boats} 1`]: `${kit.web.url}/1` })
    await fill(store)
    expect(await states(store)).toEqual(['pending'])
    Object.assign(pages, { '/1': { name: 'Boat' } })
    await sql`update collectibles set retry_at = now()`.execute(store.db)
    await fill(store, 'retry')
    expect(await read(store)).toMatchObject([{ metadata: 'read', name: 'Boat' }])
  })

  it('postpones NFTs while all calls fail, without counting an attempt', async () => {
    const store = await seed([boats, 1n], [other, 1n])
    const { transformResult } = kit.node
    kit.node.transformResult = (method, _params, result) => {
      if (method !== 'eth_call') {
        return result
      }
      throw new FakeNodeError(-32000, 'missing trie node')
    }
    await expect(fill(store)).rejects.toThrow('missing trie node')
    expect(await read(store)).toMatchObject(Array(2).fill({ metadata: 'pending', attempts: 0 }))
    kit.node.transformResult = transformResult
    for (const key of [boats, other]) {
      uris[`tokenURI ${key} 1`] = document({ name: key })
    }
    expect(await fill(store)).toMatchObject({ readCount: 0 })
    await sql`update collectibles set retry_at = now()`.execute(store.db)
    expect(await fill(store, 'retry')).toMatchObject({ readCount: 2 })
    expect(await states(store)).toEqual(['read', 'read'])
  })

  it('counts an attempt when the call of an NFT fails and others succeed', async () => {
    const store = await seed([boats, 1n], [other, 1n])
    Object.assign(uris, { [`tokenURI ${other} 1`]: document({ name: 'other' }) })
    const { transformResult } = kit.node
    kit.node.transformResult = (method, params, result) => {
      if (method === 'eth_call' && (params[0] as { to: string }).to === boats) {
        throw new FakeNodeError(-32603, 'internal error')
      }
      return transformResult(method, params, result)
    }
    await fill(store)
    expect(await read(store)).toMatchObject([
      { metadata: 'pending', attempts: 1 },
      { metadata: 'read', name: 'other' },
    ])
  })

  it('calls contracts in few requests, and repeats failed ones one by one', async () => {
    const ids = Array.from({ length: 4 }, (_, id) => BigInt(id))
    const store = await seed(...ids.map((id) => [boats, id] as const), [other, 1n])
    for (const id of ids) {
      uris[`tokenURI ${boats} ${id}`] = document({ name: 'Boat' })
    }
    uris[`tokenURI ${other} 1`] = document({ name: 'other' })
    const { transformResult } = kit.node
    kit.node.transformResult = (method, params, result) => {
      if (method === 'eth_call' && (params[0] as { to: string }).to === other) {
        throw new FakeNodeCrash()
      }
      return transformResult(method, params, result)
    }
    await fill(store)
    expect(await states(store)).toEqual(['read', 'read', 'read', 'read', 'pending'])
    kit.node.transformResult = transformResult
    await sql`update collectibles set metadata = 'pending', retry_at = null`.execute(store.db)
    kit.node.httpRequests = 0
    expect(await fill(store)).toMatchObject({ readCount: 5 })
    // One for the latest block, and one for all contracts.
    expect(kit.node.httpRequests).toBe(2)
  })
})
