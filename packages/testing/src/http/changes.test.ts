import { expect, it, vi } from 'vitest'
import { createFakeService } from '../createFakeService.ts'
import { createWorld } from '../world/createWorld.ts'
import { defaultChains } from '../world/FakeChain.ts'
import { FakeChanges } from './changes.ts'

/** Changes of a world, and a query that follows a token of its first chain. */
function setUp() {
  const world = createWorld({ seed: '1', chains: defaultChains, now: 1_700_000_000 })
  const [{ chainId, address }] = world.tokens as [(typeof world.tokens)[number]]
  const query = new URLSearchParams({ tokens: `${chainId}:${address}` })
  return { changes: new FakeChanges(), world, chainId, address, query }
}

it('streams what a test changes, and what a client has missed', async () => {
  const service = createFakeService({ changes: true })
  const { address } = service.wallet('everyday')
  const usdc = service.token('USDC')
  const open = async (lastEventId?: string) => {
    const controller = new AbortController()
    const query = `wallets=1:${address}&tokens=1:${usdc.address}`
    const response = await service.fetch(`${service.url}/v1/evm/changes?${query}`, {
      headers: {
        'X-Service-Api-Key': service.key,
        ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
      },
      signal: controller.signal,
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    return { next: async () => (await reader.read()).value, close: () => controller.abort() }
  }
  const readBlock = async () => {
    const headers = { 'X-Service-Api-Key': service.key }
    const path = `/v1/evm/balances/${address}?chain_ids=1`
    const response = await service.fetch(service.url + path, { headers })
    return Number(/^1=(\d+)$/.exec(response.headers.get('X-Block-Numbers') ?? '')?.[1])
  }
  const block = await readBlock()
  const first = await open()
  expect(await first.next()).toMatch(/^event: heartbeat\nid: 0\n/)
  service.setPrice(usdc, 2)
  const event = await first.next()
  expect(event).toContain(`"tokens":["${usdc.address}"]`)
  // Otherwise a client has the change already.
  expect(event).toContain(`"block_number":${block + 1},`)
  expect(await readBlock()).toBe(block + 1)
  service.disconnect()
  expect(await first.next()).toBeUndefined()
  service.setAmount(address, usdc, 5n)
  const second = await open('1')
  await second.next()
  expect(await second.next()).toContain(`"wallets":["${address}"]`)
  second.close()
  await expect(second.next()).rejects.toThrow()
  service.setPrice(usdc, 3)
  expect(service.units).toBe(2)
  const withEmptyId = await open('')
  expect(await withEmptyId.next()).toMatch(/^event: heartbeat\nid: 3\n/)
  const head = await service.fetch(`${service.url}/v1/evm/changes?wallets=1:${address}`, {
    method: 'HEAD',
    headers: { 'X-Service-Api-Key': service.key },
  })
  expect([head.status, await head.text()]).toEqual([200, ''])
  service.reset()
  const afterReset = await open()
  expect(await afterReset.next()).toMatch(/^event: heartbeat\nid: 0\n/)
  const without = createFakeService()
  const headers = { 'X-Service-Api-Key': without.key }
  const { status } = await without.fetch(`${without.url}/v1/evm/changes`, { headers })
  expect(status).toBe(404)
})

it('delivers reorgs and resets to all that follow the chain', async () => {
  const { changes, world, chainId, address, query } = setUp()
  const stream = changes.open(query, null, world).pipeThrough(new TextDecoderStream())
  const reader = stream.getReader()
  const next = async () => {
    const { value = '' } = await reader.read()
    return JSON.parse(/^data: (.*)$/m.exec(value)?.[1] ?? '') as object
  }
  expect(await next()).toMatchObject({ type: 'heartbeat' })
  const place = { chain_id: chainId, block_number: ++world.block }
  changes.publish({ chainId, type: 'reorg', depth: 3 }, world)
  const ancestor_block_number = world.block - 4
  expect(await next()).toMatchObject({ type: 'reorg', ...place, ancestor_block_number })
  changes.publish({ chainId, type: 'reorg', tokens: [address] }, world)
  expect(await next()).toMatchObject({ type: 'reorg', tokens: [address] })
  changes.publish({ chainId, type: 'reset' }, world)
  const reset = await next()
  expect(reset).toMatchObject({ type: 'reset', ...place })
  expect(reset).not.toHaveProperty('tokens')
})

it('responds to a request that waits once there are events, or after its time', async () => {
  vi.useFakeTimers()
  const { changes, world, chainId, address, query } = setUp()
  const poll = async (lastEventId: string | null) =>
    (await new Response(changes.poll(query, lastEventId, 30, world)).json()) as object
  expect(await poll(null)).toMatchObject({ last_event_id: '0', events: [] })
  const waiting = poll('0')
  changes.publish({ chainId, tokens: ['0x1'] }, world)
  changes.publish({ chainId, tokens: [address] }, world)
  const events = [{ type: 'change', tokens: [address] }]
  expect(await waiting).toMatchObject({ last_event_id: '2', chains: [{}], events })
  expect(await poll('0')).toMatchObject({ last_event_id: '2', events })
  const late = poll('2')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await late).toMatchObject({ last_event_id: '2', events: [] })
  const cut = poll('2')
  changes.disconnect()
  expect(await cut).toMatchObject({ events: [] })
  expect(changes.count).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

it('serves the events of a test as a stream, and as one response', async () => {
  const service = createFakeService({ changes: true })
  const { address } = service.wallet('everyday')
  const upper = address.toUpperCase().replace('0X', '0x')
  const poll = async (lastEventId?: string) => {
    const headers = {
      ...{ 'X-Service-Api-Key': service.key, Prefer: 'wait=30' },
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    }
    const path = `${service.url}/v1/evm/changes?wallets=1:${address}`
    return await service.fetch(path, { headers })
  }
  const response = await poll()
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('preference-applied')).toBe('wait=30')
  const opened = (await response.json()) as { last_event_id: string }
  const waiting = poll(opened.last_event_id)
  service.publish({ chainId: 1, type: 'reorg', wallets: [upper] })
  const events = [{ type: 'reorg', wallets: [address] }]
  expect(await (await waiting).json()).toMatchObject({ last_event_id: '1', events })
  expect(service.units).toBe(0)
})
