import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { startWebServer } from '../../test/startWebServer.ts'
import { formatRate } from '../keys/Rate.ts'
import { detectConfig, parseDetected } from './detectConfig.ts'
import { parseConfig } from './parseConfig.ts'

type FakeNode = Awaited<ReturnType<typeof startFakeNode>>

let base: FakeNode
let other: FakeNode
let unknown: FakeNode
beforeAll(async () => {
  ;[base, other, unknown] = await Promise.all([
    startNode(8453),
    startNode(8453),
    startNode(987_654_321),
  ])
})
afterAll(() => Promise.all([base, other, unknown].map((node) => node.close())))

async function startNode(chainId: number): Promise<FakeNode> {
  const node = await startFakeNode(new FakeChain())
  node.chainId = chainId
  return node
}

describe('detectConfig', () => {
  it('groups nodes by chain and applies the preset of each', async () => {
    const config = await detectConfig([base.url, unknown.url, other.url], { port: '0' }, {})
    expect(config).toMatchObject({ port: 0, dataFolder: join(process.cwd(), 'headwater-data') })
    expect(config.chains).toMatchObject([
      { id: 8453, name: 'Base', rpcUrls: [base.url, other.url], tags: ['default', 'mainnet'] },
      { id: 987_654_321, name: 'Chain 987654321', rpcUrls: [unknown.url] },
    ])
    expect(config.chains[0]?.stablecoins).toHaveLength(1)
    expect(config.chains[1]?.nativeCurrency).toEqual({ name: 'Ether', symbol: 'ETH', decimals: 18 })
  })

  it('has the values of a configuration file that contains them all', async () => {
    const detected = await parseDetected([base.url])
    const file = { ...detected, defaultRate: formatRate(detected.defaultRate) }
    expect(parseConfig(JSON.stringify(file), 'file')).toEqual(detected)
  })

  it.each(['wss://user:secret@node.example', 'https://user:secret50%@node.example'])(
    'rejects the URL %s without its secrets',
    async (url) => {
      const detecting = detectConfig([base.url, url])
      await expect(detecting).rejects.toThrow(/^--rpc must be .*number 2 of 2/)
      await expect(detecting).rejects.not.toThrow('secret')
    },
  )

  it('names a node that does not return a chain id, without the path of its URL', async () => {
    const server = await startWebServer({})
    const detecting = detectConfig([base.url, `${server.url}/secret`])
    await expect(detecting).rejects.toThrow(`--rpc: the node ${new URL(server.url).host} does not`)
    await expect(detecting).rejects.not.toThrow('secret')
    await server.close()
  })
})
