import { expect, it } from 'vitest'
import { createFakeService } from '../createFakeService.ts'

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
  const without = createFakeService()
  const headers = { 'X-Service-Api-Key': without.key }
  const { status } = await without.fetch(`${without.url}/v1/evm/changes`, { headers })
  expect(status).toBe(404)
})
