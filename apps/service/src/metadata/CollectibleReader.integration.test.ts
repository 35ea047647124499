import { pino } from 'pino'
import { encodeAbiParameters } from 'viem'
import { expect, it } from 'vitest'
import { createTestMedia } from '../../test/createTestMedia.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { fromHex } from '../store/hex.ts'
import { CollectibleReader } from './CollectibleReader.ts'
import { requestCollectibles } from './requestCollectibles.ts'

describeEachStore('CollectibleReader', (openTestStore) => {
  it('reads all NFTs after the first indexing, and new ones later', async () => {
    const { db } = await openTestStore()
    const node = await startFakeNode(new FakeChain())
    node.transformResult = (method, _params, result) =>
      method === 'eth_call'
        ? encodeAbiParameters([{ type: 'string' }], ['data:application/json,{"name":"boat"}'])
        : result
    await seedChain(db, { chainId: 1, blocks: { 0: 0 }, synced: false })
    const collectible = (contract: number, token_id: bigint) => ({
      chain_id: 1,
      contract: fromHex(testAddress(contract)),
      token_id,
      first_block: 0,
    })
    const many = Array.from({ length: 60 }, (_, id) => collectible(id % 20, BigInt(id)))
    await db.insertInto('collectibles').values(many).execute()
    const named = async () =>
      (await db.selectFrom('collectibles').select('name').where('name', '=', 'boat').execute())
        .length

    const stop = new AbortController()
    const reader = new CollectibleReader({
      db,
      node: new ChainNode([node.url]),
      chainId: 1,
      readUri: createTestMedia([]).readDocument,
      logger: pino({ level: 'silent' }),
    })
    const running = reader.run(stop.signal)
    expect(await named()).toBe(0)
    expect(node.rpcRequests).toEqual([])
    await db.updateTable('chains').set({ synced_at: new Date() }).execute()
    await expect.poll(named).toBe(60)

    await db
      .insertInto('collectibles')
      .values([collectible(100, 1n)])
      .execute()
    await requestCollectibles(db, [{ chainId: 1, contract: testAddress(100), tokenId: 1n }])
    await expect.poll(named).toBe(61)
    stop.abort()
    await running
    await node.close()
  })
})
