import { expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import { watchBalances } from '../operations/balances.ts'
import { firstSettled } from './firstSettled.ts'

const { service, create } = serviceInFakeTime()

it('resolves to the first settled snapshot after one request, and leaves nothing behind', async () => {
  const stream = watchBalances(create(), { address })
  const settled = firstSettled(stream)
  await advance(0)
  expect(await settled).toMatchObject({ status: 'success', data: [balance()] })
  expect(await firstSettled(stream)).toBe(stream.getSnapshot())
  await advance(60_000)
  expect(service.requests).toHaveLength(1)
})

it.each([true, false])('resolves to a cached response without a request, ssr: %s', async (ssr) => {
  const stream = watchBalances(create({ ssr }), { address }, { refetchInterval: false })
  const settled = firstSettled(stream)
  await advance(1000)
  expect(await firstSettled(stream)).toEqual(await settled)
  await advance(1000)
  expect(service.requests).toHaveLength(1)
})

it('waits for a response while placeholder data is shown', async () => {
  const settled = firstSettled(watchBalances(create(), { address }, { placeholderData: [] }))
  await advance(0)
  expect(await settled).toMatchObject({ data: [balance()], isPlaceholderData: false })
})

it('fetches on a server too, and leaves no timer', async () => {
  service.respond = () => json(balancesResponse())
  const settled = firstSettled(watchBalances(create({ ssr: true }), { address }))
  await advance(0)
  expect(await settled).toMatchObject({ status: 'success', data: [] })
  expect(vi.getTimerCount()).toBe(0)
})

it('resolves to a snapshot with an error', async () => {
  service.respond = rejectWith(401)
  const settled = firstSettled(watchBalances(create(), { address }))
  await advance(0)
  expect(await settled).toMatchObject({ status: 'error', error: { status: 401 } })
})

it('resolves to an error when the client is destroyed', async () => {
  const client = create()
  const settled = firstSettled(watchBalances(client, { address }))
  client.destroy()
  expect(await settled).toMatchObject({ status: 'error', error: { name: 'DestroyedError' } })
})
