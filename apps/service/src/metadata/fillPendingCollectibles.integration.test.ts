import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { boats, document, items, pendingCollectibles } from '../../test/pendingCollectibles.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { fromHex } from '../store/hex.ts'
import { fillPendingCollectibles } from './fillPendingCollectibles.ts'

const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'

describeEachStore('fillPendingCollectibles', (openTestStore) => {
  const kit = pendingCollectibles(openTestStore)
  const { fill, pages, read, seed, uris } = kit

  it('reads documents over data:, ipfs:, ar: and HTTP', async () => {
    const store = await seed(...[1n, 2n, 3n, 4n].map((id) => [boats, id] as const))
    const attributes = [{ key: 'Hull', value: 'wood' }]
    Object.assign(uris, {
      [`tokenURI ${boats} 1`]: document({ name: 'One', attributes: { Hull: 'wood' } }),
      [`tokenURI ${boats} 2`]: `ipfs://${cid}/2`,
      [`tokenURI ${boats} 3`]: `ar://${'a'.repeat(43)}/3`,
      [`tokenURI ${boats} 4`]: `${kit.web.url}/4.json`,
    })
    Object.assign(pages, {
      [`/ipfs/${cid}/2`]: { name: 'Two', image: `ipfs://${cid}/2.png` },
      [`/arweave/${'a'.repeat(43)}/3`]: { name: 'Three' },
      '/4.json': { name: 'Four' },
    })
    expect(await fill(store)).toEqual({ readCount: 4, last: '' })
    const row = { metadata: 'read', image: null, attributes: [], attempts: 0 }
    expect(await read(store)).toEqual([
      { ...row, uri: uris[`tokenURI ${boats} 1`], name: 'One', attributes },
      { ...row, uri: `ipfs://${cid}/2`, name: 'Two', image: `ipfs://${cid}/2.png` },
      { ...row, uri: `ar://${'a'.repeat(43)}/3`, name: 'Three' },
      { ...row, uri: `${kit.web.url}/4.json`, name: 'Four' },
    ])
    expect(kit.web.requested).toContain(`/away/${cid}/2`)
    expect(await fill(store)).toEqual({ readCount: 0, last: '' })
  })

  it('replaces {id} in a URI of ERC1155 by 64 hex digits in lower case', async () => {
    const id = 2n ** 255n + 0xabcn
    const store = await seed([items, id])
    Object.assign(uris, { [`uri ${items} ${id}`]: `${kit.web.url}/{id}.json` })
    Object.assign(pages, { [`/8${'0'.repeat(60)}abc.json`]: { name: 'Item' } })
    await fill(store)
    expect(await read(store)).toMatchObject([
      { name: 'Item', uri: `${kit.web.url}/8${'0'.repeat(60)}abc.json` },
    ])
  })

  it('calls the function of the other standard where the own returns nothing', async () => {
    const store = await seed([boats, 1n], [items, 1n])
    Object.assign(uris, {
      [`uri ${boats} 1`]: document({ name: 'Boat' }),
      [`tokenURI ${items} 1`]: document({ name: 'Item' }),
    })
    await fill(store)
    expect((await read(store)).map(({ name }) => name)).toEqual(['Boat', 'Item'])
  })

  it('stores the start of a URI that contains the document', async () => {
    const store = await seed([boats, 1n])
    const uri = document({ name: 'Boat', description: 'a'.repeat(4000) })
    Object.assign(uris, { [`tokenURI ${boats} 1`]: uri })
    await fill(store)
    expect(await read(store)).toMatchObject([{ name: 'Boat', uri: null }])
  })

  it('reads an NFT again whose first block was replaced meanwhile, as another one may have its id', async () => {
    const store = await seed([boats, 1n])
    const uri = `tokenURI ${boats} 1`
    uris[uri] = `${kit.web.url}/1.json`
    const readUri = async () => {
      uris[uri] = document({ name: 'Two' })
      await store.db
        .updateTable('blocks')
        .set({ hash: fromHex('0x12') })
        .execute()
      return new TextEncoder().encode(JSON.stringify({ name: 'One' }))
    }
    const node = new ChainNode([kit.node.url])
    const options = { db: store.db, node, chainId: 1, readUri, queue: 'fresh', after: '' } as const
    await fillPendingCollectibles(options)
    expect(await read(store)).toMatchObject([{ metadata: 'pending', name: null }])
    await fill(store)
    expect(await read(store)).toMatchObject([{ metadata: 'read', name: 'Two' }])
  })
})
