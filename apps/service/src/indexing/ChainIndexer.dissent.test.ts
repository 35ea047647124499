import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainConfig } from '../config/Config.ts'
import type { Store } from '../store/Store.ts'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { openMemoryStore } from '../testing/openMemoryStore.ts'
import { indexTestChain } from '../testing/indexTestChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { testChainConfig } from '../testing/testChainConfig.ts'

const finalityDepth = 4

type Node = Awaited<ReturnType<typeof startHandmadeNode>>
let store: Store
let chainId = 400
let chain: HandmadeChain
/** The one that tells otherwise is asked first. */
let [odd, good]: [Node, Node] = [] as never
let config: ChainConfig
let indexers: ReturnType<typeof indexTestChain>[]

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  chain = mined(new HandmadeChain())
  chainId++
  ;[odd, good] = [await startHandmadeNode(chain, chainId), await startHandmadeNode(chain, chainId)]
  const rpcUrls = [odd.url, good.url]
  config = testChainConfig(chainId, { rpcUrls, finalityDepth, pollIntervalMs: 10 })
  indexers = []
  const indexer = start()
  await indexer.reaches(chain.head.hash)
  await indexer.stop()
})
afterEach(async () => {
  for (const indexer of indexers) await indexer.stop().catch(() => {})
  await Promise.all([odd.close(), good.close()])
})

function mined(made: HandmadeChain): HandmadeChain {
  for (let block = 0; block < 10; block++) made.mine([])
  return made
}

function start() {
  const indexer = indexTestChain(store, config)
  indexers.push(indexer)
  return indexer
}

const dissents: [string, () => void][] = [
  [
    'another fork, from below what is final',
    () => {
      odd.chain = mined(new HandmadeChain())
      odd.chain.reorg(8, [[], [], [], [], [], [], [], []])
    },
  ],
  ['another chain under the same id', () => void (odd.chain = mined(new HandmadeChain('other')))],
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
