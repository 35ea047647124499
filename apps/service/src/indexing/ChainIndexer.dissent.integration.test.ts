import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../store/Store.ts'
import { openMemoryStore } from '../testing/openMemoryStore.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { mineMintedChain, type MintedChain, startMintedChain } from '../testing/startMintedChain.ts'

let store: Store
let chain: MintedChain['chain']
let good: MintedChain['node']
let odd: MintedChain['node']
let start: () => ReturnType<MintedChain['start']>

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  const of = await startMintedChain(store)
  ;({ chain, node: good } = of)
  odd = await startHandmadeNode(chain, of.chainId)
  onTestFinished(() => odd.close())
  // The one that tells otherwise is asked first.
  start = () => of.start({ rpcUrls: [odd.url, good.url] })
  const indexer = start()
  await indexer.reaches(chain.head.hash)
  await indexer.stop()
})

const dissents: [string, () => void][] = [
  [
    'another fork, from below what is final',
    () => {
      odd.chain = mineMintedChain()
      odd.chain.reorg(8, [[], [], [], [], [], [], [], []])
    },
  ],
  ['another chain under the same id', () => void (odd.chain = mineMintedChain('other'))],
  ['a chain of another id', () => void (odd.chainId = 5)],
]

describe.each(dissents)('one node that serves %s', (_, dissent) => {
  it('does not stop the chain that the others serve, and rests', async () => {
    dissent()
    const indexer = start()
    // Without a new block, which would be a higher head than the odd one tells.
    await Promise.race([indexer.ended, new Promise((resolve) => setTimeout(resolve, 1500))])
    chain.mine([])
    await indexer.reaches(chain.head.hash)
    // It is asked again now and then, and rests again.
    const resting = () => indexer.node.stats().map(({ isResting }) => isResting)
    await expect.poll(resting).toEqual([true, false])
  })

  it('stops nothing while the others do not answer', async () => {
    dissent()
    good.status = 503
    const indexer = start()
    const ended = await Promise.race([
      indexer.ended.then(() => 'ended'),
      new Promise((resolve) => setTimeout(resolve, 1500, 'runs')),
    ])
    expect(ended).toBe('runs')
    good.status = undefined
    chain.mine([])
    await indexer.reaches(chain.head.hash)
  })

  it('stops the chain when all serve it', async () => {
    dissent()
    good.chain = odd.chain
    good.chainId = odd.chainId
    await expect(start().ended).rejects.toThrow(/rpcUrls|Delete the data folder/)
  })
})
