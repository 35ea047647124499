import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { mineMintedChain, type MintedChain, startMintedChain } from '../../test/startMintedChain.ts'
import type { Store } from '../store/Store.ts'

let store: Store
let chain: MintedChain['chain']
let correct: MintedChain['node']
let deviating: MintedChain['node']
let start: () => ReturnType<MintedChain['start']>

beforeAll(async () => {
  store = await openSharedStore('pglite')
})
beforeEach(async () => {
  const minted = await startMintedChain(store)
  ;({ chain, node: correct } = minted)
  deviating = await startFakeNode(chain, minted.chainId)
  onTestFinished(() => deviating.close())
  // Prefers the deviating node.
  start = () => minted.start({ rpcUrls: [deviating.url, correct.url] })
  const indexer = start()
  await indexer.reaches(chain.head.hash)
  await indexer.stop()
})

const deviations: [string, () => void][] = [
  [
    'another fork, which replaces final blocks',
    () => {
      deviating.chain = mineMintedChain()
      deviating.chain.reorg(8, [[], [], [], [], [], [], [], []])
    },
  ],
  ['another chain under the same id', () => void (deviating.chain = mineMintedChain('other'))],
  ['a chain of another id', () => void (deviating.chainId = 5)],
]

describe.each(deviations)('a node that serves %s', (_, deviate) => {
  /** Polls a condition, and fails when the indexer ends before. */
  const waitFor = async (
    { ended }: ReturnType<typeof start>,
    isFulfilled: () => boolean,
  ): Promise<void> => {
    const poll = expect.poll(isFulfilled, { interval: 5 }).toBe(true)
    await Promise.race([poll, ended.then(() => expect.fail('The indexer ended'))])
  }

  it('does not stop the chain of the other nodes, and cools down', async () => {
    deviate()
    const indexer = start()
    const isCoolingDown = () =>
      indexer.node
        .stats()
        .map((node) => node.isCoolingDown)
        .join() === 'true,false'
    // Before a new block, which would be a higher head than that of the deviating node.
    await waitFor(indexer, isCoolingDown)
    chain.mine([])
    await indexer.reaches(chain.head.hash)
    // It is compared again from time to time, and cools down again.
    await waitFor(indexer, isCoolingDown)
  })

  it('does not stop the chain while the other nodes are unreachable', async () => {
    deviate()
    correct.status = 503
    const indexer = start()
    const { httpRequests } = correct
    await waitFor(indexer, () => correct.httpRequests >= httpRequests + 4)
    correct.status = undefined
    chain.mine([])
    await indexer.reaches(chain.head.hash)
  })

  it('stops the chain when all nodes serve it', async () => {
    deviate()
    correct.chain = deviating.chain
    correct.chainId = deviating.chainId
    await expect(start().ended).rejects.toThrow(/rpcUrls|chain reset/)
  })
})
