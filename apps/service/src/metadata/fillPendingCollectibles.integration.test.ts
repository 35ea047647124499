import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { decodeFunctionData, encodeAbiParameters, parseAbi } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { FakeNodeCrash, FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { createReadIndexes } from '../indexing/write/createReadIndexes.ts'
import { createUntrustedFetch } from '../media/createUntrustedFetch.ts'
import { createUriReader } from '../media/createUriReader.ts'
import { everyNetwork, publicInternet } from '../media/NetworkPolicy.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { fillPendingCollectibles } from './fillPendingCollectibles.ts'
import type { CollectibleQueue } from './loadDueCollectibles.ts'
import { markMetadataPending } from './markMetadataPending.ts'
import { requestCollectibles } from './requestCollectibles.ts'

const abi = parseAbi(['function tokenURI(uint256)', 'function uri(uint256)'])
const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
const [boats, items, other] = [testAddress(1), testAddress(2), testAddress(3)]
const document = (value: object) =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`

describeEachStore('fillPendingCollectibles', (openTestStore) => {
  let node: Awaited<ReturnType<typeof startFakeNode>>
  /** The results of contracts, by function, contract and token id; other calls revert. */
  let uris: Record<string, string>
  /** The pages of the web server, or their status, by path. */
  let pages: Record<string, object | string | number>
  let web: { readonly url: string; readonly requested: string[]; close(): void }

  beforeEach(async () => {
    uris = {}
    pages = {}
    node = await startFakeNode(new FakeChain())
    node.transformResult = (method, params, result) => {
      if (method !== 'eth_call') {
        return result
      }
      const { to, data } = params[0] as { to: string; data: `0x${string}` }
      const { functionName, args } = decodeFunctionData({ abi, data })
      const uri = uris[`${functionName} ${to} ${args[0]}`]
      if (uri === undefined) {
        throw new FakeNodeError(3, 'execution reverted')
      }
      return encodeAbiParameters([{ type: 'string' }], [uri])
    }
    const requested: string[] = []
    const server = createServer(({ url = '' }, response) => {
      requested.push(url)
      const page = pages[url] ?? 404
      if (typeof page === 'number') {
        response.writeHead(page).end()
      } else {
        response.end(typeof page === 'string' ? page : JSON.stringify(page))
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    web = {
      url: `http://127.0.0.1:${port}`,
      requested,
      close: () => server.close().closeAllConnections(),
    }
  })
  afterEach(async () => {
    web.close()
    await node.close()
  })

  /** Inserts pending NFTs: contract, token id, and the block of the first event. */
  async function seed(
    ...collectibles: (readonly [contract: string, tokenId: bigint, firstBlock?: number])[]
  ): Promise<Store> {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 1, blocks: { 0: 0 }, tokens: [{ address: boats }] })
    const token = (address: string, standard: 721 | 1155) =>
      ({ chain_id: 1, address: fromHex(address), standard, first_block: 0 }) as const
    await store.db.deleteFrom('tokens').execute()
    await store.db
      .insertInto('tokens')
      .values([token(boats, 721), token(items, 1155), token(other, 721)])
      .execute()
    await store.db
      .insertInto('collectibles')
      .values(
        collectibles.map(([contract, token_id, first_block = 0]) => ({
          chain_id: 1,
          contract: fromHex(contract),
          token_id,
          first_block,
        })),
      )
      .execute()
    await createReadIndexes(store.db)
    return store
  }

  const fill = async (
    store: Store,
    queue: CollectibleQueue = 'fresh',
    after = '',
    policy = everyNetwork,
  ) => {
    const media = {
      ipfsGateways: [`${web.url}/away/`, `${web.url}/ipfs/`],
      arweaveGateways: [`${web.url}/arweave/`],
      tokenLists: [],
      dangerouslyAllowPrivateNetworks: true,
    }
    const readUri = createUriReader(createUntrustedFetch({ policy }), media)
    const chainNode = new ChainNode([node.url])
    return await fillPendingCollectibles({
      db: store.db,
      node: chainNode,
      chainId: 1,
      readUri,
      queue,
      after,
    })
  }

  const read = async ({ db }: Store) => {
    const rows = await db
      .selectFrom('collectibles')
      .selectAll()
      .orderBy('contract')
      .orderBy('token_id')
      .execute()
    return rows.map(({ metadata, uri, name, image, attributes, attempts }) => ({
      metadata,
      uri,
      name,
      image,
      attributes,
      attempts,
    }))
  }
  const states = async (store: Store) => (await read(store)).map(({ metadata }) => metadata)
  const versionOf = async ({ db }: Store) =>
    (await db.selectFrom('chains').select('metadata_version').executeTakeFirstOrThrow())
      .metadata_version

  it('reads documents over data:, ipfs:, ar: and HTTP', async () => {
    const store = await seed(...[1n, 2n, 3n, 4n].map((id) => [boats, id] as const))
    const attributes = [{ key: 'Hull', value: 'wood' }]
    uris = {
      [`tokenURI ${boats} 1`]: document({ name: 'One', attributes: { Hull: 'wood' } }),
      [`tokenURI ${boats} 2`]: `ipfs://${cid}/2`,
      [`tokenURI ${boats} 3`]: `ar://${'a'.repeat(43)}/3`,
      [`tokenURI ${boats} 4`]: `${web.url}/4.json`,
    }
    pages = {
      [`/ipfs/${cid}/2`]: { name: 'Two', image: `ipfs://${cid}/2.png` },
      [`/arweave/${'a'.repeat(43)}/3`]: { name: 'Three' },
      '/4.json': { name: 'Four' },
    }
    expect(await fill(store)).toEqual({ readCount: 4, last: '' })
    const row = { metadata: 'read', image: null, attributes: [], attempts: 0 }
    expect(await read(store)).toEqual([
      { ...row, uri: uris[`tokenURI ${boats} 1`], name: 'One', attributes },
      { ...row, uri: `ipfs://${cid}/2`, name: 'Two', image: `ipfs://${cid}/2.png` },
      { ...row, uri: `ar://${'a'.repeat(43)}/3`, name: 'Three' },
      { ...row, uri: `${web.url}/4.json`, name: 'Four' },
    ])
    expect(web.requested).toContain(`/away/${cid}/2`)
    expect(await fill(store)).toEqual({ readCount: 0, last: '' })
  })

  it('increments the metadata version if a response may have contained the NFT', async () => {
    const store = await seed([boats, 1n], [boats, 2n], [boats, 3n])
    for (const id of [1, 2]) {
      uris[`tokenURI ${boats} ${id}`] = document({ name: 'Boat' })
    }
    uris[`tokenURI ${boats} 3`] = `${web.url}/3`
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

  it('replaces {id} in a URI of ERC1155 by 64 hex digits in lower case', async () => {
    const id = 2n ** 255n + 0xabcn
    const store = await seed([items, id])
    uris = { [`uri ${items} ${id}`]: `${web.url}/{id}.json` }
    pages = { [`/8${'0'.repeat(60)}abc.json`]: { name: 'Item' } }
    await fill(store)
    expect(await read(store)).toMatchObject([
      { name: 'Item', uri: `${web.url}/8${'0'.repeat(60)}abc.json` },
    ])
  })

  it('calls the function of the other standard where the own returns nothing', async () => {
    const store = await seed([boats, 1n], [items, 1n])
    uris = {
      [`uri ${boats} 1`]: document({ name: 'Boat' }),
      [`tokenURI ${items} 1`]: document({ name: 'Item' }),
    }
    await fill(store)
    expect((await read(store)).map(({ name }) => name)).toEqual(['Boat', 'Item'])
  })

  it('does not retry what cannot succeed', async () => {
    const ids = [1n, 2n, 3n, 4n] as const
    const store = await seed(...ids.map((id) => [boats, id] as const), [other, 1n])
    uris = {
      [`tokenURI ${boats} 2`]: '',
      [`tokenURI ${boats} 3`]: 'file:///etc/passwd',
      [`tokenURI ${boats} 4`]: 'data:application/json,not JSON',
      [`tokenURI ${other} 1`]: `${web.url}/secret`,
    }
    pages = { '/secret': { name: 'secret' } }
    await fill(store, 'fresh', '', { ...publicInternet, allowsPort: () => true })
    expect(await states(store)).toEqual(Array(5).fill('failed'))
    expect(web.requested).toEqual([])
  })

  it('stores the start of a URI that contains the document', async () => {
    const store = await seed([boats, 1n])
    const uri = document({ name: 'Boat', description: 'a'.repeat(4000) })
    uris = { [`tokenURI ${boats} 1`]: uri }
    await fill(store)
    expect(await read(store)).toMatchObject([{ name: 'Boat', uri: uri.slice(0, 256) }])
  })

  it('retries an unavailable document with growing delays, and fails in the end', async () => {
    const store = await seed([boats, 1n], [boats, 2n])
    uris = { [`tokenURI ${boats} 1`]: `${web.url}/1`, [`tokenURI ${boats} 2`]: `${web.url}/2` }
    pages = { '/1': 503, '/2': '<html>busy</html>' }
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
      ['/1', '/2'].map((path) => ({ metadata: 'failed', attempts: 6, uri: web.url + path })),
    )
    await passTime()
    expect(await fill(store, 'retry')).toMatchObject({ readCount: 0 })
  })

  it('reads a document that becomes available', async () => {
    const store = await seed([boats, 1n])
    uris = { [`tokenURI ${boats} 1`]: `${web.url}/1` }
    await fill(store)
    expect(await states(store)).toEqual(['pending'])
    pages = { '/1': { name: 'Boat' } }
    await sql`update collectibles set retry_at = now()`.execute(store.db)
    await fill(store, 'retry')
    expect(await read(store)).toMatchObject([{ metadata: 'read', name: 'Boat' }])
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
      node.chain.mine([])
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

  it('postpones NFTs while all calls fail, without counting an attempt', async () => {
    const store = await seed([boats, 1n], [other, 1n])
    const { transformResult } = node
    node.transformResult = (method, _params, result) => {
      if (method !== 'eth_call') {
        return result
      }
      throw new FakeNodeError(-32000, 'missing trie node')
    }
    await expect(fill(store)).rejects.toThrow('missing trie node')
    expect(await read(store)).toMatchObject(Array(2).fill({ metadata: 'pending', attempts: 0 }))
    node.transformResult = transformResult
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
    uris = { [`tokenURI ${other} 1`]: document({ name: 'other' }) }
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
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
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
      if (method === 'eth_call' && (params[0] as { to: string }).to === other) {
        throw new FakeNodeCrash()
      }
      return transformResult(method, params, result)
    }
    await fill(store)
    expect(await states(store)).toEqual(['read', 'read', 'read', 'read', 'pending'])
    node.transformResult = transformResult
    await sql`update collectibles set metadata = 'pending', retry_at = null`.execute(store.db)
    node.httpRequests = 0
    expect(await fill(store)).toMatchObject({ readCount: 5 })
    // One for the latest block, and one for all contracts.
    expect(node.httpRequests).toBe(2)
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
    expect(JSON.stringify(plan.rows)).toContain('collectibles_fresh')
  })
})
