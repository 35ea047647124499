import { expect, it, vi } from 'vitest'
import { createClient, watchTokenBalance } from '@headwater/core'
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
  const without = createFakeService()
  const headers = { 'X-Service-Api-Key': without.key }
  const { status } = await without.fetch(`${without.url}/v1/evm/changes`, { headers })
  expect(status).toBe(404)
})

it('resets each followed chain of a client whose position is unknown', async () => {
  const { changes, world, chainId, address, query } = setUp()
  const [, { id: otherChain }] = world.chains as [unknown, (typeof world.chains)[number]]
  query.set('tokens', `${chainId}:${address},${otherChain}:native`)
  const resets = [chainId, otherChain].map((id) => ({ type: 'reset', chain_id: id }))
  const poll = async (lastEventId: string | null) => {
    const body = await new Response(changes.poll(query, lastEventId, 30, world)).json()
    return body as { last_event_id: string; events: object[] }
  }
  const before = await poll(null)
  changes.publish({ chainId, tokens: [address] }, world)
  expect((await poll(before.last_event_id)).events).toMatchObject([{ type: 'change' }])
  for (const unknown of ['7', '-1', '1:2:3']) {
    expect((await poll(unknown)).events).toMatchObject(resets)
  }
  changes.reset()
  // Also where as much has changed since.
  changes.publish({ chainId, tokens: [address] }, world)
  const { events, last_event_id } = await poll(before.last_event_id)
  expect(events).toMatchObject(resets)

  const stream = changes.open(query, before.last_event_id, world)
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  const ids: string[] = []
  while (ids.length < 3) {
    ids.push(/^id: (.*)$/m.exec((await reader.read()).value ?? '')?.[1] ?? '')
  }
  expect(ids.at(-1)).toBe(last_event_id)
  // A client that is cut before the last of its resets receives all of them again.
  for (const id of ids.slice(0, -1)) {
    expect((await poll(id)).events).toMatchObject(resets)
  }
})

it('lets a client that is watched across a reset show the initial state', async () => {
  vi.useFakeTimers()
  const service = createFakeService({ changes: true })
  const { url: baseUrl, key: apiKey, fetch } = service
  const client = createClient({ baseUrl, apiKey, fetch, ssr: false })
  const { address } = service.wallet('everyday')
  const usdc = service.token('USDC')
  const parameters = { address, tokenAddress: usdc.address, chainIds: [usdc.chainId] as const }
  let amount: string | undefined
  watchTokenBalance(client, parameters, { refetchInterval: 60_000 }).subscribe(({ data }) => {
    amount = data?.balances[0]?.amount
  })
  await expect.poll(() => client.connection$.getSnapshot()).toBe('live')
  const initial = amount
  service.setAmount(address, usdc, 5n)
  await vi.advanceTimersByTimeAsync(1000)
  expect(amount).toBe('5')
  service.reset()
  await vi.advanceTimersByTimeAsync(3000)
  expect(amount).toBe(initial)
  service.setAmount(address, usdc, 6n)
  await vi.advanceTimersByTimeAsync(1000)
  expect(amount).toBe('6')
  client.destroy()
  vi.useRealTimers()
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
      'X-Service-Api-Key': service.key,
      Prefer: 'wait=30',
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
