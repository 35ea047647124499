import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestMedia } from '../../../test/createTestMedia.ts'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startAnvil } from '../../../test/startAnvil.ts'
import { startNodeProxy } from '../../../test/startNodeProxy.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { topics } from '../../indexing/decode/topics.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import type { Store } from '../../store/Store.ts'
import { NodeChains } from './NodeChains.ts'

const wallet = testAddress(1)
const before = testAddress(0x98)
const after = testAddress(0x97)
type Anvil = Awaited<ReturnType<typeof startAnvil>>

/** Mines a transfer of a token to the wallet, and some blocks after it. */
async function mineTransfer({ call }: Anvil, token: string, blocks: number): Promise<void> {
  // A transfer of 5 by any transaction.
  const code = `0x600560005273${wallet.slice(2)}60027f${topics.transfer.slice(2)}60206000a300`
  await call('anvil_setCode', token, code)
  const [from] = await call<string[]>('eth_accounts')
  await call('eth_sendTransaction', { from, to: token })
  await call('anvil_mine', `0x${blocks.toString(16)}`)
}

function openChains(store: Store, ...urls: string[]) {
  const options = { history: 'node', finalityDepth: 10, pollIntervalMs: 10 } as const
  const chain = testChainConfig(31_337, { ...options, rpcUrls: urls.map((url) => ({ url })) })
  const { tokenLists, readDocument: readUri } = createTestMedia([chain])
  const warnings: unknown[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line)) })
  const node = new ChainNode(chain.rpcUrls, { chainId: chain.id, retryDelayMs: 10 })
  const nodeChains = new NodeChains([{ chain, node, db: store.db, tokenLists, readUri, logger }])
  onTestFinished(() => nodeChains.close())
  /** The tokens of the wallet, once the whole chain was searched. */
  const find = async () => {
    for (;;) {
      const { results } = await nodeChains.load([chain], (each, _chain, head) =>
        each.discovery.find(wallet, head, 1, 'received'),
      )
      const [found] = results
      if (found?.share === 1) {
        return [...found.tokens]
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return { nodeChains, find, warnings }
}

describe('a chain that was replaced', () => {
  it('loses what was found before, also in the processes that found it', async () => {
    const store = await openSharedStore('pglite')
    const first = await startAnvil()
    const { port } = new URL(first.url)
    await mineTransfer(first, before, 50)
    const running = openChains(store, first.url)
    const other = openChains(store, first.url)
    expect([await running.find(), await other.find()]).toEqual([[before], [before]])
    await first.stop()
    for (const { nodeChains } of [running, other]) {
      await expect.poll(() => nodeChains.findHead(31_337)).toBeUndefined()
    }
    const second = await startAnvil('--port', port)
    await mineTransfer(second, after, 100)
    expect(await running.find()).toEqual([after])
    expect(await other.find()).toEqual([after])
    expect(running.warnings).toHaveLength(1)
    expect(other.warnings).toEqual([])
    expect(running.warnings).toMatchObject([
      { msg: expect.stringMatching(/^the chain was replaced, or had a reorg deeper/) as string },
    ])
    await running.nodeChains.close()
    const restarted = openChains(store, second.url)
    expect(await restarted.find()).toEqual([after])
    expect(restarted.warnings).toEqual([])
  })

  it('is recognized while it is shorter, and after a reorg deeper than finalityDepth', async () => {
    const store = await openSharedStore('pglite')
    const anvil = await startAnvil()
    await anvil.call('anvil_mine', '0x14')
    const snapshot = await anvil.call('evm_snapshot')
    await mineTransfer(anvil, before, 40)
    const running = openChains(store, anvil.url)
    expect(await running.find()).toEqual([before])
    await anvil.call('evm_revert', snapshot)
    await anvil.call('evm_increaseTime', 1_000)
    await mineTransfer(anvil, after, 15)
    const shorter = openChains(store, anvil.url)
    expect(await shorter.find()).toEqual([after])
    // The index takes over once it has the blocks of this chain that clients have seen.
    await expect.poll(running.find).toEqual([after])
    expect(running.nodeChains.getServedBlock(31_337)).toBe(36)
    await anvil.call('anvil_mine', '0x64')
    expect(await shorter.find()).toEqual([after])
    expect(shorter.warnings).toHaveLength(1)
  })
})

describe('a node of another chain', () => {
  it('that a proxy forwards to from now on is not served, and what was found remains', async () => {
    const store = await openSharedStore('pglite')
    const right = await startAnvil()
    const wrong = await startAnvil('--chain-id', '7')
    await mineTransfer(right, before, 50)
    await mineTransfer(wrong, after, 100)
    const proxy = await startNodeProxy(right.url)
    onTestFinished(() => proxy.close())
    const { nodeChains, find, warnings } = openChains(store, proxy.url)
    expect(await find()).toEqual([before])
    proxy.target = wrong.url
    await expect.poll(() => nodeChains.findHead(31_337)).toBeUndefined()
    proxy.target = right.url
    expect(await find()).toEqual([before])
    expect(warnings).toEqual([])
  })

  it('is the reason why a chain is stopped, and is not mixed in beside others', async () => {
    const store = await openSharedStore('pglite')
    const right = await startAnvil('--chain-id', '7')
    const wrong = await startAnvil()
    await wrong.call('anvil_setBalance', wallet, '0x1')
    const start = async (...urls: string[]) => {
      const rpcUrls = urls.map((url) => ({ url }))
      // The tokens of other tests are precompiled contracts.
      const tokens = { stablecoins: [], wrappedNative: testAddress(0x9999) }
      const chain = testChainConfig(7, { history: 'node', rpcUrls, ...tokens })
      const service = await startTestService(store, [chain])
      const request = async (path: string) => {
        const response = await service.fetch(path)
        return { status: response.status, body: (await response.json()) as object }
      }
      return {
        request,
        native: () => request(`/v1/evm/balances/${wallet}/token/native?chain_ids=7`),
      }
    }
    const stopped = await start(wrong.url)
    expect(await stopped.native()).toMatchObject({
      status: 503,
      body: { code: 'CHAIN_STOPPED' },
    })
    const failure = `node ${new URL(wrong.url).host} serves chain 31337: correct rpcUrls`
    expect(await stopped.request('/ready')).toMatchObject({
      status: 503,
      body: { chains: [{ source: null, available: false, failure }] },
    })
    const served = await start(wrong.url, right.url)
    expect(await served.native()).toMatchObject({
      status: 200,
      body: { balances: [{ amount: '0' }] },
    })
    expect(await served.request('/ready')).toMatchObject({
      status: 200,
      body: {
        chains: [
          {
            source: 'node',
            available: true,
            failure,
            head_block: 0,
            head_time: expect.stringMatching(/^20.*Z$/) as string,
          },
        ],
      },
    })
  })
})
