import type { Logger } from 'pino'
import { encodeAbiParameters, numberToHex, toFunctionSelector } from 'viem'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { markAllNotable } from '../../test/markAllNotable.ts'
import { seedChain, testAddress, testBlockHash } from '../../test/seedChain.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Call } from '../rpc/methods/Call.ts'
import { msPerMinute } from '../time.ts'
import { MetadataReader } from './MetadataReader.ts'

it('checks some notable tokens every five minutes, and reads those that changed', async () => {
  const store = await openSharedStore('pglite')
  const { db } = store
  const chainId = 1
  // One more than are checked at once.
  const tokens = Array.from({ length: 51 }, (_, index) => testAddress(1 + index))
  const first = testAddress(1)
  const last = testAddress(51)
  const stored = { symbol: 'OLD', name: 'OLD', decimals: 18 }
  await seedChain(db, {
    chainId,
    blocks: { 0: 0 },
    tokens: tokens.map((address) => ({ address, ...stored })),
  })
  await markAllNotable(store)
  // The first token of each check or read.
  const called: string[] = []
  const symbolOf = new Map<string, string>([[last, 'NEW']])
  const node = {
    getHead: async () => await Promise.resolve({ number: 0, hash: testBlockHash(chainId, 0) }),
    multicall: async (calls: readonly Call[]) => {
      called.push(calls[0]?.to ?? '')
      if (called.length === 1) {
        throw new Error('The node is down')
      }
      return await Promise.resolve(
        calls.map(({ to, data }) => ({
          status: 'success' as const,
          data:
            data === toFunctionSelector('decimals()')
              ? numberToHex(18, { size: 32 })
              : encodeAbiParameters([{ type: 'string' }], [symbolOf.get(to) ?? 'OLD']),
        })),
      )
    },
  } as unknown as ChainNode
  const logger = { info: vi.fn(), warn: vi.fn() } as unknown as Logger
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const stop = new AbortController()
  const running = new MetadataReader({ db, node, chainId, logger }).run(stop.signal)
  const waitForNextCheck = () => expect.poll(() => vi.getTimerCount(), { interval: 1 }).toBe(1)
  const check = async () => {
    vi.advanceTimersByTime(5 * msPerMinute)
    await waitForNextCheck()
  }
  await waitForNextCheck()
  await check()
  expect(logger.warn).toHaveBeenCalledTimes(1)
  // A failed check is repeated.
  await check()
  expect(called).toEqual([first, first])
  await check()
  expect(logger.info).toHaveBeenCalledWith({ tokens: [last] }, 'token metadata changed')
  const loadChanged = () =>
    db.selectFrom('tokens').select('symbol').where('symbol', '=', 'NEW').execute()
  await expect.poll(loadChanged, { interval: 1 }).toHaveLength(1)
  await check()
  expect(called).toEqual([first, first, last, last, first])
  stop.abort()
  await running
  expect(vi.getTimerCount()).toBe(0)
})
