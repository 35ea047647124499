import { decodeFunctionData, encodeAbiParameters, parseAbi } from 'viem'
import { afterEach, beforeEach } from 'vitest'
import { createReadIndexes } from '../src/indexing/write/createReadIndexes.ts'
import { createUntrustedFetch } from '../src/media/createUntrustedFetch.ts'
import { createUriReader } from '../src/media/createUriReader.ts'
import { everyNetwork } from '../src/media/NetworkPolicy.ts'
import { fillPendingCollectibles } from '../src/metadata/fillPendingCollectibles.ts'
import type { CollectibleQueue } from '../src/metadata/loadDueCollectibles.ts'
import { ChainNode } from '../src/rpc/ChainNode.ts'
import { fromHex } from '../src/store/hex.ts'
import type { Store } from '../src/store/Store.ts'
import { FakeChain } from './FakeChain.ts'
import { seedChain, testAddress } from './seedChain.ts'
import { FakeNodeError, startFakeNode } from './startFakeNode.ts'
import { startWebServer, type WebPages } from './startWebServer.ts'

const abi = parseAbi(['function tokenURI(uint256)', 'function uri(uint256)'])

/** The contracts of the tests: `items` is an ERC1155, the others are ERC721. */
export const boats = testAddress(1)
export const items = testAddress(2)
export const other = testAddress(3)

/** A URI that contains a document. */
export const document = (value: object) =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`

/** Runs each test of a file with a node whose contracts have URIs, and with a web server. */
export function pendingCollectibles(openTestStore: () => Promise<Store>) {
  let node: Awaited<ReturnType<typeof startFakeNode>>
  /** The results of contracts, by function, contract and token id; other calls revert. */
  const uris: Record<string, string> = {}
  /** The pages of the web server, or their status, by path. */
  const pages: Record<string, WebPages[string]> = {}
  let web: Awaited<ReturnType<typeof startWebServer>>

  beforeEach(async () => {
    clear(uris)
    clear(pages)
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
    web = await startWebServer(pages)
  })
  afterEach(async () => {
    await web.close()
    await node.close()
  })

  /** Inserts pending NFTs: contract, token id, and the block of the first event. */
  async function seed(
    ...collectibles: (readonly [contract: string, tokenId: bigint, firstBlock?: number])[]
  ): Promise<Store> {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 1, blocks: { 0: 0 }, tokens: [{ address: boats }] })
    const token = (id: number, address: string, standard: 721 | 1155) =>
      ({ chain_id: 1, id, address: fromHex(address), standard, first_block: 0 }) as const
    await store.db.deleteFrom('tokens').execute()
    await store.db
      .insertInto('tokens')
      .values([token(1, boats, 721), token(2, items, 1155), token(3, other, 721)])
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
    await createReadIndexes(store.db, 1)
    return store
  }

  /** Fills the NFTs that are due. */
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
    // A node without a known limit gets small batches first.
    const chainNode = new ChainNode([{ url: node.url, requestsPerSecond: 10_000 }])
    return await fillPendingCollectibles({
      db: store.db,
      node: chainNode,
      chainId: 1,
      readUri,
      queue,
      after,
    })
  }

  /** The rows of all NFTs. */
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

  return {
    seed,
    fill,
    read,
    states,
    versionOf,
    /** The node of the current test. */
    get node() {
      return node
    },
    /** The web server of the current test. */
    get web() {
      return web
    },
    uris,
    pages,
  }
}

function clear(object: object): void {
  for (const key of Object.keys(object)) {
    Reflect.deleteProperty(object, key)
  }
}
