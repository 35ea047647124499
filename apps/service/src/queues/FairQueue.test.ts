import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from './FairQueue.ts'

/** A queue in which tasks end by hand, in a time of its own. */
function createQueue(permits: number, maxWaiting = 100) {
  let now = 0
  const createError = () => new Error('full')
  const queue = new FairQueue({ permits, maxWaiting, createError, now: () => now })
  const started: string[] = []
  const running: { name: string; end: () => void }[] = []
  return {
    queue,
    started,
    running,
    run: (name: string) =>
      queue.run(name.slice(0, 1), async () => {
        started.push(name)
        await new Promise<void>((resolve) => running.push({ name, end: resolve }))
      }),
    /** Ends the oldest task after some milliseconds. */
    async end(milliseconds: number) {
      now += milliseconds
      const task = running.shift()
      task?.end()
      await new Promise(setImmediate)
      return task?.name
    },
  }
}

describe('FairQueue', () => {
  it('runs the tasks of one account in their order, and keeps a quarter of the permits for others', async () => {
    const { run, end, started } = createQueue(4)
    const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map(run)
    expect(started).toEqual(['a1', 'a2', 'a3'])
    all.push(run('b1'))
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1'])
    for (let task = 0; task < all.length; task++) {
      await end(1)
    }
    await Promise.all(all)
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5'])
  })

  it('rejects waiting tasks whose signal aborts, and starts none of them', async () => {
    const { queue, run, end, started } = createQueue(1)
    const first = run('a1')
    const controller = new AbortController()
    const aborted = queue.run('b', () => Promise.reject(new Error('started')), controller.signal)
    const last = run('b2')
    expect(queue.waitingCount).toBe(2)
    controller.abort(new Error('over'))
    await expect(aborted).rejects.toThrow('over')
    expect(queue.waitingCount).toBe(1)
    await end(1)
    await end(1)
    await Promise.all([first, last])
    expect(started).toEqual(['a1', 'b2'])
  })

  it('runs and charges a task that is aborted once it is its turn', async () => {
    const { queue, run, end } = createQueue(1)
    const first = run('a1')
    const controller = new AbortController()
    const last = queue.run('b', () => Promise.resolve('ran'), controller.signal)
    // The permit is free, and the task has not begun yet.
    const ended = first.then(() => controller.abort(new Error('over')))
    await end(1)
    await ended
    expect(await last).toBe('ran')
  })

  it('lets an account with short tasks pass one with long tasks', async () => {
    const { run, end, started, running } = createQueue(1)
    const all = [run('a1'), run('a2'), run('a3')]
    await end(100)
    all.push(run('b1'), run('b2'), run('b3'))
    while (running.length > 0) {
      await end(running[0]?.name.startsWith('a') ? 100 : 1)
    }
    await Promise.all(all)
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'b3', 'a3'])
  })

  it('runs two long tasks of an account at once while another is active', async () => {
    const { run, end, running } = createQueue(8)
    const all = [run('a1')]
    await end(200)
    all.push(run('b1'))
    await end(1)
    all.push(...['a2', 'a3', 'a4', 'a5'].map(run), ...['b2', 'b3', 'b4', 'b5'].map(run))
    expect(running.map(({ name }) => name)).toEqual(['a2', 'a3', 'b2', 'b3', 'b4', 'b5'])
    while (running.length > 0) {
      await end(1)
    }
    await Promise.all(all)
    // After a while without the other one, it may use more.
    all.push(run('a6'))
    await end(20_000)
    all.push(...['a7', 'a8', 'a9'].map(run))
    expect(running).toHaveLength(3)
    while (running.length > 0) {
      await end(1)
    }
    await Promise.all(all)
  })

  it('gives no credit for time without work', async () => {
    const { run, end, started } = createQueue(1)
    const first = [run('a1'), run('a2')]
    await end(100)
    await end(100)
    const all = [...first, run('b1'), run('b2'), run('a3'), run('b3')]
    for (let task = 0; task < 4; task++) {
      await end(100)
    }
    await Promise.all(all)
    // The task of `a` is not delayed by all of `b`, which had none before.
    expect(started.indexOf('a3')).toBeLessThan(started.indexOf('b3'))
  })

  it('charges a task that waited what it took, whatever ends while it begins', async () => {
    const { run, end, running, started } = createQueue(2)
    const all = [run('d1'), run('a1')]
    await end(990)
    all.push(run('a2'), run('a3'))
    const [long, short] = running.splice(0)
    await end(10)
    // The average of both is not known yet when the task that waited is started.
    short?.end()
    long?.end()
    await end(0)
    await end(0)
    // `a` has used 1010 ms, and `b` 900 ms.
    all.push(run('b1'))
    await end(900)
    all.push(...['c1', 'c2', 'a4', 'b2'].map(run))
    while (running.length > 0) {
      await end(1)
    }
    await Promise.all(all)
    expect(started).toEqual(['d1', 'a1', 'a2', 'a3', 'b1', 'c1', 'c2', 'b2', 'a4'])
  })

  it('rejects the latest task of the account with the most waiting ones when it is full', async () => {
    const { run, end, started } = createQueue(1, 2)
    const first = run('a1')
    const second = run('a2')
    const third = run('a3')
    await expect(run('a4')).rejects.toThrow('full')
    const other = run('b1')
    await expect(third).rejects.toThrow('full')
    await end(1)
    await end(1)
    await end(1)
    await Promise.all([first, second, other])
    expect([...started].sort()).toEqual(['a1', 'a2', 'b1'])
  })

  it('returns the permit of a task that fails', async () => {
    const { queue, run, end } = createQueue(1)
    await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    )
    const next = run('a1')
    await end(1)
    await next
  })

  it('shares the time of a permit, whatever the durations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 98 }), fc.nat({ max: 98 }), async (a, b) => {
        const { run, end, running } = createQueue(1)
        const durations: Record<string, number> = { a: a + 1, b: b + 1 }
        const used: Record<string, number> = { a: 0, b: 0 }
        const tasks = [...Array(40).keys()].flatMap((index) => [run(`a${index}`), run(`b${index}`)])
        // While both have waiting tasks, neither is ahead by more than some of the longest.
        for (let task = 0; task < 40; task++) {
          const account = running[0]?.name.slice(0, 1) ?? ''
          used[account] = (used[account] ?? 0) + (durations[account] ?? 0)
          await end(durations[account] ?? 0)
        }
        const ahead = Math.abs((used['a'] ?? 0) - (used['b'] ?? 0))
        expect(ahead).toBeLessThanOrEqual(4 * Math.max(a + 1, b + 1))
        while (running.length > 0) {
          await end(1)
        }
        await Promise.all(tasks)
      }),
      { numRuns: 50 },
    )
  })
})
