import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { descendants, isAlive, killTree } from './processTree.mjs'

/** Starts a shell whose grandchild is in another process group, as npx does with pnpm and turbo. */
function startTree(): ChildProcess {
  const program = `require('node:child_process').spawn('sh', ['-c', 'sleep 1000; true'], { detached: true })`
  return spawn('sh', ['-c', '"$0" --eval "$1"; true', process.execPath, program])
}

it('kills a process and everything that it started, in any process group', async () => {
  const tree = startTree()
  const other = startTree()
  const count = (child: ChildProcess) => descendants(child.pid!).length
  await expect.poll(() => [count(tree), count(other)]).toEqual([3, 3])
  const started = [tree.pid!, ...descendants(tree.pid!)]
  const exit = once(tree, 'exit')
  killTree(tree.pid!)
  expect(await exit).toEqual([null, 'SIGKILL'])
  await expect.poll(() => started.filter(isAlive)).toEqual([])
  // The other tree still runs.
  expect(count(other)).toBe(3)
  killTree(other.pid!)
})

it('accepts a process that has exited', async () => {
  const child = spawn('true')
  await once(child, 'exit')
  expect(() => killTree(child.pid!)).not.toThrow()
})
