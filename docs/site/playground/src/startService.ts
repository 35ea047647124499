import { type Client, createClient } from '@headwater/core'
import { createFakeService, type FakeService } from '@headwater/testing'
import type { FaultName } from './messages.ts'

/** What a playground runs on. */
export interface Playground {
  readonly client: Client
  readonly service: FakeService
  /** The wallet that the examples show. */
  readonly address: string
  setFault(name: FaultName, active: boolean): void
}

/** Milliseconds between two blocks. */
const blockTime = 3000
/** Milliseconds for which the block that a reorg removes exists. */
const reorgAfter = 6000

/** Starts the fake service, whose amounts and prices change with every block, and a client of it. */
export function startService(): Playground {
  const service = createFakeService()
  const client = createClient({
    baseUrl: service.url,
    apiKey: service.key,
    fetch: service.fetch,
    defaultOptions: { queries: { refetchInterval: 2000 } },
  })
  const { address } = service.wallet('everyday')
  setInterval(() => service.advance(), blockTime)

  /** A transfer is part of the responses until its block is replaced by one without it. */
  const reorg = () => {
    const token = service.token('LINK')
    const transfer = { token, amount: 1000n * 10n ** 18n }
    service.setAmount(service.wallet('whale').address, token, transfer.amount)
    service.transfer({ ...transfer, from: service.wallet('whale').address, to: address })
    setTimeout(() => {
      service.transfer({ ...transfer, from: address, to: service.wallet('whale').address })
    }, reorgAfter)
  }
  const faults: Record<FaultName, () => () => void> = {
    rateLimit: () => service.fail({ status: 429, retryAfter: 3 }),
    latency: () => service.fail({ kind: 'slow', delay: 1500 }),
    offline: () => {
      const reconnect = service.fail({ kind: 'network' })
      window.dispatchEvent(new Event('offline'))
      return () => {
        reconnect()
        window.dispatchEvent(new Event('online'))
      }
    },
    reorg: () => {
      reorg()
      return () => {}
    },
  }
  const active = new Map<FaultName, () => void>()
  return {
    client,
    service,
    address,
    setFault(name, isActive) {
      active.get(name)?.()
      active.delete(name)
      if (isActive) {
        active.set(name, faults[name]())
      }
    },
  }
}
