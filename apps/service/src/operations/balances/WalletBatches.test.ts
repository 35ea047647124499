import { expect, it } from 'vitest'
import type { HandlerContext } from '../Handler.ts'
import { WalletBatches } from './WalletBatches.ts'

/** A context whose reads settle on demand. */
function createContext(keyId: number) {
  const reads: PromiseWithResolvers<{ results: []; unreachable: [] }>[] = []
  const context = {
    keyId,
    chains: [{ id: 1 }],
    readStores: () => {
      const read = Promise.withResolvers<{ results: []; unreachable: [] }>()
      reads.push(read)
      return read.promise
    },
  } as unknown as HandlerContext
  return { context, reads }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('reads wallets together that are requested at the same time, and those of other keys apart', async () => {
  const batches = new WalletBatches()
  const [one, two] = [createContext(1), createContext(2)]
  const first = Array.from({ length: 20 }, (_, index) => batches.read(`0x${index}`, one.context))
  const other = batches.read('0x0', two.context)
  await turn()
  expect([one.reads.length, two.reads.length]).toEqual([1, 1])
  const second = batches.read('0xa', one.context)
  await turn()
  expect(one.reads).toHaveLength(2)
  // Two are read at once: the next ones wait, and are one batch again.
  const third = ['0xb', '0xc'].map((wallet) => batches.read(wallet, one.context))
  await turn()
  expect(one.reads).toHaveLength(2)
  one.reads[0]?.reject(new Error('The store is away'))
  const settled = await Promise.allSettled(first)
  expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['rejected']))
  await turn()
  expect(one.reads).toHaveLength(3)
  for (const read of [...one.reads, ...two.reads]) {
    read.resolve({ results: [], unreachable: [] })
  }
  await Promise.all([second, other, ...third])
})
