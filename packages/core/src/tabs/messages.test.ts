import { describe, expect, it, vi } from 'vitest'
import { advance, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters, tokenInfo } from '../../test/tokenInfo.ts'

const { service, open, watch } = tabsInFakeTime()

describe('an invalid message of another tab', () => {
  const invalidMessages = [
    null,
    7,
    'text',
    [],
    {},
    { from: 1, type: 'hello' },
    { from: 'x', type: 'unknown' },
    { from: 'x', type: 'watch', queries: 'all' },
    { from: 'x', type: 'watch', queries: [null, { operation: 'balances' }] },
    {
      from: 'x',
      type: 'watch',
      queries: [
        { operation: 'toString', parameters, interval: 1000 },
        { operation: 'tokenInfo', parameters: { address: 'wrong' }, interval: 1000 },
        { operation: 'tokenInfo', parameters, interval: 0 },
        { operation: 'tokenInfo', parameters, interval: Number.NaN },
      ],
    },
    { from: 'x', type: 'responses', responses: {} },
    {
      from: 'x',
      type: 'responses',
      responses: [
        { operation: 'tokenInfo', parameters, data: { tokens: 7 }, updatedAt: 4e12 },
        { operation: 'tokenInfo', parameters, data: [], updatedAt: 4e12 },
        { operation: 'tokenInfo', parameters, data: tokenInfo(666), updatedAt: '1' },
        { operation: '__proto__', parameters, data: tokenInfo(666), updatedAt: 4e12 },
        { operation: 'tokenInfo', parameters: { x: 1 }, data: tokenInfo(666), updatedAt: 4e12 },
      ],
    },
  ]

  it('is ignored', async () => {
    let name = ''
    const Original = BroadcastChannel
    vi.stubGlobal(
      'BroadcastChannel',
      class extends Original {
        constructor(channelName: string) {
          super(channelName)
          name = channelName
        }
      },
    )
    const { client } = open()
    vi.unstubAllGlobals()
    const { prices } = watch(client)
    await advance(100)
    const otherChannel = new BroadcastChannel(name)
    for (const message of invalidMessages) {
      otherChannel.postMessage(message)
    }
    await advance(5000)
    expect(prices).toEqual([1])
    expect(service.requests).toHaveLength(1)
    // Proves that messages of this channel arrive.
    const response = {
      operation: 'tokenInfo',
      parameters,
      data: tokenInfo(5),
      updatedAt: Date.now(),
    }
    otherChannel.postMessage({ from: 'x', type: 'responses', responses: [response] })
    await advance(100)
    otherChannel.close()
    expect(prices).toEqual([1, 5])
  })
})
