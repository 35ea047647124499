import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { FakeChain } from '../../test/FakeChain.ts'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { testAddress } from '../../test/seedChain.ts'
import { onFixtureFinished, shareFixture } from '../../test/shareFixture.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { loadConfig } from '../config/loadConfig.ts'
import { checkLimits } from '../doctor/checkLimits.ts'
import { createKey } from '../keys/createKey.ts'
import type { Store } from '../store/Store.ts'
import { startService } from './startService.ts'

/** The service with an embedded database, whose index waits for the first response. */
const getFixture = shareFixture(async () => {
  const chain = new FakeChain()
  chain.mine([])
  chain.mine([])
  const node = await startFakeNode(chain, 4242)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-start-'))
  prepareDataFolder(folder)
  const file = join(folder, 'headwater.config.json')
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const rpcUrls = [{ url: node.url, requestsPerSecond: 1_000 }]
  const chains = [{ id: 4242, name: 'one', nativeCurrency, rpcUrls, pollIntervalMs: 50 }]
  writeFileSync(file, JSON.stringify({ chains }))
  const config = loadConfig(file, { data: folder, port: '0' }, {})
  const stop = new AbortController()
  const listening = Promise.withResolvers<{ url: string; store: Store }>()
  const running = startService(config, pino({ level: 'silent' }), stop.signal, {
    maxIndexDelayMs: 600_000,
    onListening: (url, _config, store) => Promise.resolve(listening.resolve({ url, store })),
  })
  onFixtureFinished(async () => {
    stop.abort()
    await running
    await node.close()
    rmSync(folder, { recursive: true })
  })
  const { url, store } = await Promise.race([
    listening.promise,
    running.then(() => {
      throw new Error('The service ended')
    }),
  ])
  const { secret } = await createKey(store.db, { name: 'test' })
  return { chain, node, config, store, url, secret }
})

it('starts the index after the first response to a client', async () => {
  const { chain, node, url, secret } = getFixture()
  const readIndexed = async () => {
    const { chains } = (await (await fetch(`${url}/ready`)).json()) as {
      chains: readonly { indexed_block: number | null }[]
    }
    return chains[0]?.indexed_block
  }
  await delay(200)
  expect(await readIndexed()).toBeNull()
  expect(
    node.rpcRequests.filter(
      ({ method }) => !['eth_chainId', 'eth_getBlockByNumber'].includes(method),
    ),
  ).toEqual([])
  const response = await fetch(`${url}/v1/evm/balances/${testAddress(1)}?chain_ids=4242`, {
    headers: { [API_KEY_HEADER]: secret },
  })
  expect(response.status).toBe(200)
  await expect.poll(readIndexed).toBe(chain.head.number)
})

it('warns that a role other than all needs a shared store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-role-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  prepareDataFolder(folder)
  const lines: string[] = []
  const logger = pino({}, { write: (line) => lines.push(line) })
  const stop = new AbortController()
  const config = { ...getFixture().config, dataFolder: folder, role: 'serve' as const }
  await startService(config, logger, stop.signal, {
    onListening: () => Promise.resolve(stop.abort()),
  })
  expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
    expect.objectContaining({
      level: 40,
      msg: 'the role serve needs a shared store, and the embedded database is limited to one process: set databaseUrl (DATABASE_URL)',
    }),
  )
})

it('logs at once that it stops, also while it starts', async () => {
  const lines: string[] = []
  const stop = new AbortController()
  const config = { ...getFixture().config, databaseUrl: 'postgres://user@127.0.0.1:1/none' }
  const running = startService(config, pino({}, { write: (line) => lines.push(line) }), stop.signal)
  stop.abort()
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['stopping'])
  await expect(running).rejects.toThrow('ECONNREFUSED')
})

it('has the limits of nodes that it found for doctor', async () => {
  const { config, store } = getFixture()
  await store.db
    .insertInto('node_limits')
    .values({
      chain_id: 4242,
      node: Buffer.alloc(32, 1),
      name: 'node.example',
      limits: JSON.stringify({ logBlocks: 2_000, batchSize: 25 }),
    })
    .execute()
  expect(await checkLimits(config)).toContainEqual({
    subject: 'chain 4242, node node.example, limits',
    level: 'ok',
    message: 'the service found: 2,000 blocks per eth_getLogs; 25 requests per batch',
  })
})
