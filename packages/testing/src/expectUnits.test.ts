import { expect, it } from 'vitest'
import { createClient, getBalances, getTokenInfo } from '@headwater/core'
import { createFakeService } from './createFakeService.ts'
import { expectUnits } from './expectUnits.ts'

it('lists the units of each operation in its error', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  expectUnits(client).toCost(0)
  const { address } = service.wallet('everyday')
  await getBalances(client, { address, chainIds: [1, 137] })
  const since = client.getUsage()
  await getTokenInfo(client, { address: 'native', chainIds: [1] })
  expectUnits(client).toCostAtMost(4)
  expectUnits(client).toCost(4)
  expectUnits(client, { since }).toCost(2)

  const failing = (expectation: () => void) => {
    try {
      expectation()
    } catch (error) {
      return error as Error
    }
    return undefined
  }
  const error = failing(() => expectUnits(client).toCostAtMost(3))
  expect(error).toMatchObject({
    name: 'AssertionError',
    message: 'expected at most 3 compute units to be spent, not 4: balances 2, tokenInfo 2',
    actual: 4,
    expected: 3,
  })
  expect(failing(() => expectUnits(client, { since }).toCost(1))?.message).toBe(
    'expected exactly 1 compute units to be spent, not 2: tokenInfo 2',
  )
  expect(failing(() => expectUnits(client, { since: client.getUsage() }).toCost(1))?.message).toBe(
    'expected exactly 1 compute units to be spent, not 0: nothing',
  )
})
