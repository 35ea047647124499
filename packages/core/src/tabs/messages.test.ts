import { describe, expect, it, vi } from 'vitest'
import { pass, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters, tokenInfo } from '../../test/tokenInfo.ts'

const { service, open, watch } = tabsInFakeTime()

describe('a message that makes no sense', () => {
  const nonsense = [
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

  it('changes nothing', async () => {
    let name = ''
    const Original = BroadcastChannel
    vi.stubGlobal(
      'BroadcastChannel',
      class extends Original {
        constructor(given: string) {
          super(given)
          name = given
        }
      },
    )
    const { client } = open()
    vi.unstubAllGlobals()
    const { prices } = watch(client)
    await pass(100)
    const stranger = new BroadcastChannel(name)
    for (const message of nonsense) {
      stranger.postMessage(message)
    }
    await pass(5000)
    expect(prices).toEqual([1])
    expect(service.asked).toHaveLength(1)
    // So that it is known that the stranger was heard.
    const [answer] = [
      { operation: 'tokenInfo', parameters, data: tokenInfo(5), updatedAt: Date.now() },
    ]
    stranger.postMessage({ from: 'x', type: 'responses', responses: [answer] })
    await pass(100)
    stranger.close()
    expect(prices).toEqual([1, 5])
  })
})
