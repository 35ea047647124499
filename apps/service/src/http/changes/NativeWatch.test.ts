import { expect, it, onTestFinished, vi } from 'vitest'
import { accountsPerCall } from '../../rpc/methods/aggregateBalances.ts'
import { NativeWatch } from './NativeWatch.ts'

const wallets = Array.from({ length: 3000 }, (_, index) => `0x${index}`)
const block = (number: number) => ({ number, hash: `0x${number}` })

/** Nodes that return at most some balances of a read. */
function createNodes(limit = Infinity) {
  const nodes = {
    amount: 1n,
    /** The number of wallets of each read. */
    reads: [] as number[],
    inFlight: 0,
    maxInFlight: 0,
    read: async (_: number, accounts: readonly string[]) => {
      nodes.reads.push(accounts.length)
      nodes.maxInFlight = Math.max(nodes.maxInFlight, ++nodes.inFlight)
      await Promise.resolve()
      nodes.inFlight--
      return new Map(accounts.slice(0, limit).map((wallet) => [wallet, nodes.amount]))
    },
  }
  return nodes
}

it('reads many wallets at a time, one request after the other, also of new clients', async () => {
  const nodes = createNodes()
  const changed: string[] = []
  const watch = new NativeWatch(nodes, (_, each, at, isFirst) => {
    expect(isFirst).toBe(at.number === 1)
    changed.push(...each)
  })
  const starts = Array.from({ length: 30 }, (_, index) => index * 100)
  await Promise.all(
    starts.map((start) => watch.add(7, wallets.slice(start, start + 100), block(1))),
  )
  expect(nodes.reads.reduce((sum, count) => sum + count, 0)).toBe(3000)
  expect(nodes.reads.length).toBeLessThanOrEqual(4)
  expect(changed.splice(0).sort()).toEqual([...wallets].sort())
  nodes.amount = 2n
  watch.onHead(7, block(2))
  await expect.poll(() => changed.length).toBe(3000)
  expect(nodes.maxInFlight).toBe(1)
  expect(Math.max(...nodes.reads)).toBe(accountsPerCall)
})

it('reads all wallets in turn where nodes return few of them at a head', async () => {
  const nodes = createNodes(32)
  const changed = new Set<string>()
  const watch = new NativeWatch(nodes, (_, each) => each.forEach((wallet) => changed.add(wallet)))
  const some = wallets.slice(0, 100)
  await watch.add(7, some, block(1))
  changed.clear()
  nodes.amount = 2n
  for (let head = 2; head <= 5; head++) {
    const before = nodes.reads.length
    watch.onHead(7, block(head))
    await expect.poll(() => nodes.inFlight).toBe(0)
    expect(nodes.reads.length - before).toBe(1)
  }
  await expect.poll(() => changed.size).toBe(100)
})

it('reads wallets that are added at any time while another read ends', async () => {
  for (let delay = 0; delay < 20; delay++) {
    const watch = new NativeWatch(createNodes(), () => {})
    const first = watch.add(7, ['0x1'], block(1))
    for (let turn = 0; turn < delay; turn++) {
      await Promise.resolve()
    }
    await Promise.all([first, watch.add(7, ['0x2'], block(1))])
    expect(watch.digest(7, '0x2')).toHaveLength(4)
  }
})

it('lets a client wait for its first read for a second only', async () => {
  const nodes = createNodes()
  const responding = Promise.withResolvers<void>()
  const changed: string[] = []
  const watch = new NativeWatch(
    { read: (...[chainId, each]) => responding.promise.then(() => nodes.read(chainId, each)) },
    (_, each) => void changed.push(...each),
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const added = watch.add(7, ['0x1'], block(1))
  await vi.advanceTimersByTimeAsync(1000)
  await added
  expect(watch.digest(7, '0x1')).toBe('')
  responding.resolve()
  await expect.poll(() => changed).toEqual(['0x1'])
})

it('reads wallets again that no node returned while the chain has no further block', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const nodes = createNodes()
  const changed: string[] = []
  let isAway = true
  const watch = new NativeWatch(
    { read: async (...[chainId, each]) => (isAway ? new Map() : await nodes.read(chainId, each)) },
    (_, each) => void changed.push(...each),
  )
  await watch.add(7, ['0x1'], block(1))
  isAway = false
  await vi.advanceTimersToNextTimerAsync()
  expect(changed.splice(0)).toEqual(['0x1'])
  isAway = true
  nodes.amount = 2n
  watch.onHead(7, block(2))
  await vi.advanceTimersToNextTimerAsync()
  expect(changed).toEqual([])
  isAway = false
  await vi.advanceTimersToNextTimerAsync()
  expect(changed).toEqual(['0x1'])
  isAway = true
  watch.onHead(7, block(3))
  await vi.advanceTimersToNextTimerAsync()
  expect(vi.getTimerCount()).toBe(1)
  watch.remove(7, ['0x1'])
  expect(vi.getTimerCount()).toBe(0)
})

it('knows a changed balance only once it is reported', async () => {
  const reports: [wallets: readonly string[], digest: string][] = []
  let known = new Map([['0x1', 1n]])
  const watch: NativeWatch = new NativeWatch({ read: () => Promise.resolve(known) }, (_, each) =>
    reports.push([each, watch.digest(7, '0x1')]),
  )
  await watch.add(7, ['0x1', '0x2'], block(1))
  const [, before] = reports.pop()!
  known = new Map([
    ['0x1', 2n],
    ['0x2', 2n],
  ])
  watch.onHead(7, block(2))
  await expect.poll(() => reports).toHaveLength(2)
  // A client that is cut after the event of the first one resumes from its position.
  expect(reports[0]).toEqual([['0x2'], before])
  expect(reports[1]?.[0]).toEqual(['0x1'])
})
