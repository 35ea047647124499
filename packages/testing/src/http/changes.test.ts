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
  const first = await open()
  expect(await first.next()).toMatch(/^event: heartbeat\nid: 0\n/)
  service.setPrice(usdc, 2)
  expect(await first.next()).toContain(`"tokens":["${usdc.address}"]`)
  service.disconnect()
  expect(await first.next()).toBeUndefined()
  service.setAmount(address, usdc, 5n)
  const second = await open('1')
  await second.next()
  expect(await second.next()).toContain(`"wallets":["${address}"]`)
  second.close()
  await expect(second.next()).rejects.toThrow()
  service.setPrice(usdc, 3)
  expect(service.units).toBe(0)
  const without = createFakeService()
  const headers = { 'X-Service-Api-Key': without.key }
  const { status } = await without.fetch(`${without.url}/v1/evm/changes`, { headers })
  expect(status).toBe(404)
})
