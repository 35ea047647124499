import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { createScope } from '../decode/Scope.ts'
import { decodeUnreadPools } from './unreadPools.ts'

it('counts a registration as read that the configuration does not index any more', async () => {
  const unread = {
    blockNumber: 3,
    logIndex: 4,
    address: testAddress(1),
    topics: ['0x01'],
    data: '0x',
  }
  const at = { number: 9, hash: '0x9' }
  const retried = decodeUnreadPools([unread], at, createScope(testChainConfig(1)))
  expect([...retried.values()]).toMatchObject([
    { place: { blockNumber: 3, logIndex: 4 }, log: { blockNumber: 9 } },
  ])
  const pools = await Promise.all([...retried.keys()].map(({ read }) => read(async () => [], 0)))
  expect(pools).toEqual([undefined])
})
