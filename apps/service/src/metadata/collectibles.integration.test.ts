import { createServer } from 'node:http'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Collectible, CollectiblesResponse } from '@headwater/contract'
import { accounts, type DevnetChain, devnetOdd, startChain } from '@headwater/devnet'
import { createTestMedia } from '../../test/createTestMedia.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { closeServer, listen } from '../../test/listen.ts'
import { startTestService } from '../../test/startTestService.ts'
import { parseConfig } from '../config/parseConfig.ts'
import type { Store } from '../store/Store.ts'
import { CollectibleReader } from './CollectibleReader.ts'

let chain: DevnetChain
/** The documents that the gateway serves, by the end of their path; and the requested paths. */
const pinned: Record<string, object> = { '/7.json': { name: 'Pinned', image: 'ipfs://unknown' } }
const requested: string[] = []
const gateway = createServer(({ url = '' }, response) => {
  requested.push(url)
  const page = Object.entries(pinned).find(([end]) => url.endsWith(end))?.[1]
  if (page) {
    response.end(JSON.stringify(page))
  } else {
    response.writeHead(404).end()
  }
})
let gatewayUrl: string
beforeAll(async () => {
  gatewayUrl = await listen(gateway)
  chain = await startChain({ scenario: devnetOdd, days: 1, live: false })
})
afterAll(async () => {
  await Promise.all([closeServer(gateway), chain.stop()])
})

/** Serves the chain, and reads its documents with the network policy of the public internet. */
async function serve(store: Store) {
  const { chains } = parseConfig(JSON.stringify({ chains: [chain.config] }), 'devnet')
  const [config] = chains
  if (!config) {
    throw new Error('there is no chain')
  }
  const media = createTestMedia(chains, {
    ipfsGateways: [`${gatewayUrl}/ipfs/`],
    arweaveGateways: [`${gatewayUrl}/arweave/`],
    dangerouslyAllowPrivateNetworks: false,
  })
  const indexer = indexTestChain(store, config)
  await indexer.reaches((await indexer.node.getHead()).hash)
  const stop = new AbortController()
  const reader = new CollectibleReader({
    db: store.db,
    node: indexer.node,
    chainId: config.id,
    readUri: media.readDocument,
    logger: pino({ level: 'silent' }),
  })
  const reading = reader.run(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await reading
    await indexer.stop()
  })
  const untried = () =>
    store.db
      .selectFrom('collectibles')
      .select('token_id')
      .where('metadata', '=', 'pending')
      .where('retry_at', 'is', null)
      .execute()
  await expect.poll(untried, { interval: 250 }).toEqual([])
  return await startTestService(store, chains, { media })
}

describeEachStore('NFTs of a devnet chain', (openTestStore) => {
  it('have the metadata of their documents, and hostile documents have no effect', async () => {
    const service = await serve(await openTestStore())
    const entries: Collectible[] = []
    for (const { address } of accounts) {
      const response = await service.fetch(`/v1/evm/collectibles/${address}`)
      entries.push(...((await response.json()) as CollectiblesResponse).entries)
    }
    const of = (symbol: string) => {
      const address = chain.collection(symbol).address.toLowerCase()
      return entries.filter(({ contract_address }) => contract_address === address)
    }
    const fetchImage = async ({ image_url = '' }: Collectible) => {
      const image = await fetch(image_url)
      return { status: image.status, headers: image.headers, text: await image.text() }
    }

    // Documents and images on the chain, of ERC721 and ERC1155.
    for (const [symbol, standard] of [
      ['BUOY', 'ERC721'],
      ['CRATE', 'ERC1155'],
    ] as const) {
      const drawn = of(symbol)
      expect(drawn.length).toBeGreaterThan(3)
      for (const entry of drawn) {
        expect(entry).toMatchObject({
          token_standard: standard,
          name: `${chain.collection(symbol).name} #${entry.token_id}`,
          description: 'The harbor at a certain hour, drawn by its contract.',
          metadata: {
            attributes: ['Hue', 'Sky', 'Boats'].map((key) => ({
              key,
              value: expect.stringMatching(/^(\d+|night|day)$/) as string,
            })),
          },
        })
      }
      // A URI is complete, or absent if it is too long for a response.
      const uris = drawn.flatMap(({ metadata }) => metadata?.uri ?? [])
      for (const uri of uris) {
        const [type, document = ''] = uri.split(',')
        expect(type).toBe('data:application/json;base64')
        expect(JSON.parse(atob(document))).toHaveProperty('image')
      }
      const { status, headers, text } = await fetchImage(drawn[0] as Collectible)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(text).toMatch(/^<svg .*<\/svg>$/)
    }

    const odd = Object.fromEntries(of('DRIFT').map((entry) => [Number(entry.token_id), entry]))
    const described = ({ name, image_url }: Partial<Collectible> = {}) => [
      name,
      image_url !== undefined,
    ]
    expect(Array.from({ length: 14 }, (_, index) => described(odd[index + 1]))).toEqual([
      ['Plain Pebble', true],
      ['Pinned', true],
      [undefined, false],
      [undefined, false],
      ['<img src=x onerror=alert(4)> Siren', true],
      ['Unseen', false],
      [undefined, false],
      [undefined, false],
      ['Redirected', true],
      ...Array<unknown>(5).fill([undefined, false]),
    ])
    expect(odd[5]?.description).toBe('Its picture would like to run a script.')
    expect((await fetchImage(odd[1] as Collectible)).text).toMatch(/^<svg /)
    const siren = await fetchImage(odd[5] as Collectible)
    expect(siren.text).toContain('<script>')
    expect(siren.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/)
    expect((await fetchImage(odd[9] as Collectible)).status).toBe(404)
    // Only the gateways are trusted.
    expect(new Set(requested.map((path) => path.split('/')[1]))).toEqual(
      new Set(['ipfs', 'arweave']),
    )
  })
})
