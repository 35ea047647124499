import { beforeEach, expect, it, vi } from 'vitest'
import { address, otherAddress } from '../../test/balances.ts'
import { record } from '../../test/clientsInFakeTime.ts'
import { pushInFakeTime } from '../../test/pushInFakeTime.ts'
import { advance } from '../../test/tabsInFakeTime.ts'
import { watchResponses } from '../../test/watchResponses.ts'
import { broadcastClient } from './broadcastClient.ts'

const { service, create } = pushInFakeTime()
// Messages and locks are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))

/** A tab that shows a wallet. */
function open() {
  const client = create()
  broadcastClient(client)
  const states: string[] = []
  client.connection$.subscribe((state) => states.push(state))
  const { emitted } = record(watchResponses(client, { address }))
  return { client, states, amount: () => emitted.at(-1)?.data?.balances[0]?.amount }
}

it('a tab knows at once that changes are pushed to another one, and as long as they are', async () => {
  const one = open()
  await advance(300)
  const two = open()
  await advance(300)
  expect([one.states.at(-1), two.states.at(-1)]).toEqual(['live', 'live'])
  // A busy chain: no heartbeat is due between changes.
  for (let second = 0; second < 60; second += 10) {
    service.amount++
    service.publish({ wallets: [address] })
    await advance(10_000)
  }
  expect(two.states).toEqual(['polling', 'live'])
  expect(two.amount()).toBe(String(service.amount))
  expect(service.streams).toHaveLength(1)
})

it('a tab whose leader is closed shows what has changed meanwhile', async () => {
  const one = open()
  await advance(300)
  const two = open()
  await advance(300)
  one.client.destroy()
  service.amount = 7
  service.publish({ wallets: [address] })
  await advance(300)
  expect(two.amount()).toBe('7')
  expect(two.states.at(-1)).toBe('live')
  service.amount = 8
  service.publish({ wallets: [address] })
  await advance(300)
  expect(two.amount()).toBe('8')
})

it('a tab does not poll while the stream of its leader is cut or follows more', async () => {
  const one = open()
  await advance(300)
  open()
  await advance(300)
  const { length } = service.requests
  for (let second = 0; second < 60; second += 10) {
    await advance(10_000)
    service.heartbeat()
  }
  service.cut()
  await advance(3000)
  record(watchResponses(one.client, { address: otherAddress }))
  await advance(1000)
  expect(service.streams).toHaveLength(3)
  expect(service.requests.slice(length).every((path) => path.includes(otherAddress))).toBe(true)
})
