import { expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json, refusing } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import { watchBalances } from '../operations/balances.ts'
import { firstSettled } from './firstSettled.ts'

const { service, create } = serviceInFakeTime()

it('asks once, gives the first answer, and leaves nothing behind', async () => {
  const stream = watchBalances(create(), { address })
  const settled = firstSettled(stream)
  await pass(0)
  expect(await settled).toMatchObject({ status: 'success', data: [balance()] })
  expect(await firstSettled(stream)).toBe(stream.getSnapshot())
  await pass(60_000)
  expect(service.asked).toHaveLength(1)
})

it('asks on a server too, and leaves no timer', async () => {
  service.answer = () => json(balancesResponse())
  const settled = firstSettled(watchBalances(create({ ssr: true }), { address }))
  await pass(0)
  expect(await settled).toMatchObject({ status: 'success', data: [] })
  expect(vi.getTimerCount()).toBe(0)
})

it('gives an error as a snapshot', async () => {
  service.answer = refusing(401)
  const settled = firstSettled(watchBalances(create(), { address }))
  await pass(0)
  expect(await settled).toMatchObject({ status: 'error', error: { status: 401 } })
})

it('ends with the client', async () => {
  const client = create()
  const settled = firstSettled(watchBalances(client, { address }, { enabled: false }))
  client.destroy()
  expect(await settled).toMatchObject({ status: 'pending' })
})
