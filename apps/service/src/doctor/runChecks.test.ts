import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { closeServer, listen } from '../../test/listen.ts'
import { testAddress } from '../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { mint } from '../../test/startMintedChain.ts'
import type { ChainConfig, Config } from '../config/Config.ts'
import { parseConfig } from '../config/parseConfig.ts'
import { checkConfig } from './checkConfig.ts'
import { checkNode } from './checkNode.ts'
import { runChecks } from './runChecks.ts'

const secret = 'hunter2-hunter2'
const factory = testAddress(0x30)
const stablecoin = testAddress(0x31)
const otherStablecoin = testAddress(0x32)

/** A node that passes every check, at block 3 of a chain whose latest block is a second old. */
async function startNode() {
  const chain = new FakeChain()
  for (let block = 1; block <= 3; block++) {
    chain.mine([])
  }
  const node = await startFakeNode(chain, 7)
  onTestFinished(() => node.close())
  node.transformResult = (method, params, result) => {
    if (method === 'eth_getBalance') {
      return '0x0'
    }
    if (method !== 'eth_call') {
      return result
    }
    const { to } = params[0] as { to: string }
    const contracts: string[] = [factory, stablecoin, otherStablecoin]
    return contracts.includes(to) ? `0x${'1'.padStart(64, '0')}` : '0x'
  }
  const url = `${node.url}/${secret}`
  const name = new URL(url).host
  return { node, url, name, now: new Date((chain.head.time + 1) * 1000) }
}

function createConfig(chain: Partial<ChainConfig>, overrides: Partial<Config> = {}): Config {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const described = { id: 7, name: 'seven', tags: ['default'], nativeCurrency, ...chain }
  const stablecoins = [stablecoin, otherStablecoin]
  const contracts = { stablecoins, uniswapV2Factories: [factory] }
  const text = JSON.stringify({ chains: [{ ...contracts, ...described }] })
  const { chains, media, defaultRate, prices, compression } = parseConfig(text, 'config.json')
  const runtime = { host: '127.0.0.1', port: 8080, role: 'all', dataFolder: '/tmp/none' } as const
  return { ...runtime, media, defaultRate, prices, compression, chains, ...overrides }
}

/** The results as lines, without those of the store; none may contain the URL of a node. */
async function formatFindings(
  config: Config,
  now: Date,
  level?: 'warning' | 'error',
): Promise<string[]> {
  const findings = await runChecks(config, now)
  expect(JSON.stringify(findings)).not.toContain(secret)
  return findings
    .filter((finding) => finding.subject !== 'data folder' && (!level || finding.level === level))
    .map((finding) => `${finding.level} ${finding.subject}: ${finding.message}`)
}

describe('runChecks', () => {
  it('states what the past of a chain with a preset lacks', () => {
    expect(checkConfig(createConfig({ id: 10, rpcUrls: ['http://127.0.0.1:1'] }))).toContainEqual({
      level: 'ok',
      subject: 'configuration',
      message: expect.stringMatching(/^chain 10: .* regenesis of 2021-11-11/) as string,
    })
  })

  it('accepts a node and its contracts', async () => {
    const { url, name, now } = await startNode()
    expect(await formatFindings(createConfig({ rpcUrls: [url] }), now)).toEqual([
      'ok configuration: 1 chain',
      `ok chain 7, node ${name}: is at block 3 (1 s old)`,
      `ok chain 7, node ${name}: has whole-block receipts`,
      `ok chain 7, node ${name}: serves logs from block 1 on`,
      `ok chain 7, node ${name}: has logs that match the headers of 2 sampled blocks`,
      `ok chain 7, node ${name}: serves balances at its latest block`,
      `ok chain 7, node ${name}: block hashes are not verifiable, receipts roots are not known yet`,
      `ok chain 7, node ${name}: blocks are final 64 below the head, as it reports no final block`,
      `ok chain 7, node ${name}: limits: no eth_getProof`,
      'ok chain 7, contracts: all 3 have the expected functions',
    ])
  })

  it('reports a node of another chain, and calls the contracts on the other node', async () => {
    const wrong = await startNode()
    wrong.node.chainId = 10
    const right = await startNode()
    const rpcUrls = [wrong.url, right.url]
    const lines = await formatFindings(createConfig({ rpcUrls }), right.now)
    expect(lines).toContain(
      `error chain 7, node ${wrong.name}: serves chain 10, not 7: correct rpcUrls`,
    )
    expect(lines).toContain('ok chain 7, contracts: all 3 have the expected functions')
    expect(wrong.node.rpcRequests.map(({ method }) => method)).not.toContain('eth_call')
  })

  it('warns about verification that the chain does not allow', async () => {
    const { node, url, name, now } = await startNode()
    node.chain.mine([{ type: 'silence' }])
    const chain = { rpcUrls: [url], finalityDepth: 1, verify: 'receipts' } as const
    node.chain.mine([])
    expect(await formatFindings(createConfig(chain), now, 'warning')).toEqual([
      `warning chain 7, node ${name}: block hashes are not verifiable, receipts roots are not verifiable: verify "receipts" has no effect`,
    ])
  })

  it('distinguishes nodes of one host', async () => {
    const { url, name, now } = await startNode()
    const lines = await formatFindings(createConfig({ rpcUrls: [url, url] }), now)
    expect(lines).toContain(`ok chain 7, node ${name}: is at block 3 (1 s old)`)
    expect(lines).toContain(`ok chain 7, node ${name}#2: is at block 3 (1 s old)`)
  })

  it.each([
    ['is unreachable', undefined, 'connection failed (ECONNREFUSED)'],
    ['rejects requests', 401, 'HTTP status 401'],
  ])('reports a node that %s', async (_, status, reason) => {
    const { node, url, name, now } = await startNode()
    if (status === undefined) {
      await node.close()
      node.close = async () => {}
    } else {
      node.status = status
    }
    const errors = await formatFindings(createConfig({ rpcUrls: [url] }), now, 'error')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(`error chain 7, node ${name}: does not respond (`)
    expect(errors[0]).toContain(reason)
  })

  it('reports a node that never responds', async () => {
    const server = createServer(() => {})
    const url = await listen(server)
    onTestFinished(() => closeServer(server))
    const [chain] = createConfig({ rpcUrls: [url] }).chains as [ChainConfig]
    expect(await checkNode(chain, url, 'node', new Date(), { firstMs: 1, checkMs: 1 })).toEqual([
      {
        level: 'error',
        subject: 'chain 7, node node',
        message: 'does not respond (no response within 0.001 s): check its URL and that it runs',
      },
    ])
  })

  it('warns about an old head', async () => {
    const { url, name, now } = await startNode()
    const later = new Date(now.getTime() + 600_000)
    expect(await formatFindings(createConfig({ rpcUrls: [url] }), later, 'warning')).toEqual([
      `warning chain 7, node ${name}: is at block 3 (601 s old): it may be behind`,
    ])
  })

  it('reports a node that omits a log of a past block', async () => {
    const { node, url, name, now } = await startNode()
    node.chain.mine([mint, mint])
    node.chain.mine([])
    const { transformResult } = node
    node.transformResult = (method, params, result) =>
      method === 'eth_getBlockReceipts'
        ? (result as object[]).slice(1)
        : transformResult(method, params, result)
    expect(await formatFindings(createConfig({ rpcUrls: [url] }), now, 'error')).toEqual([
      expect.stringMatching(
        `^error chain 7, node ${name}: contradicts the headers of its own blocks \\(transactions \\d+\\)`,
      ),
    ])
  })

  it('warns about missing whole-block receipts', async () => {
    const { node, url, now } = await startNode()
    node.hasReceipts = false
    const config = createConfig({ rpcUrls: [url] })
    expect(await formatFindings(config, now, 'error')).toEqual([])
    expect(await formatFindings(config, now, 'warning')).toEqual([
      expect.stringContaining('has no eth_getBlockReceipts'),
    ])
  })

  it('reports a node without receipts and logs', async () => {
    const { node, url, now } = await startNode()
    node.hasReceipts = false
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
      if (method === 'eth_getLogs') {
        throw new FakeNodeError(-32005, `not for ${secret}`)
      }
      return transformResult(method, params, result)
    }
    const errors = await formatFindings(createConfig({ rpcUrls: [url] }), now, 'error')
    expect(errors).toEqual([
      expect.stringContaining('does not serve logs of its latest block (eth_getLogs: '),
      expect.stringContaining('does not serve logs of the first block to index (eth_getLogs: '),
    ])
  })

  it('reports pruned blocks', async () => {
    const { node, url, now } = await startNode()
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
      const first = [node.chain.blocks[1]?.hash, '0x1']
      if (method === 'eth_getBlockReceipts' && first.includes(params[0] as string)) {
        throw new FakeNodeError(4444, 'pruned history unavailable')
      }
      return transformResult(method, params, result)
    }
    expect(await formatFindings(createConfig({ rpcUrls: [url] }), now, 'error')).toEqual([
      expect.stringMatching(
        /first block to index \(.*pruned history unavailable\): use a node with/,
      ),
    ])
  })

  it('reports blocks that a node lacks between the first and the latest one', async () => {
    const { node, url, now } = await startNode()
    node.chain.mine([mint])
    node.chain.mine([])
    node.chain.mine([])
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
      if (method === 'eth_getBlockReceipts' && params[0] === node.chain.blocks[4]?.hash) {
        throw new FakeNodeError(4444, 'pruned history unavailable')
      }
      return transformResult(method, params, result)
    }
    expect(await formatFindings(createConfig({ rpcUrls: [url] }), now, 'error')).toEqual([
      expect.stringMatching(
        /does not serve logs of blocks 4 and 5 \(.*pruned history unavailable\)/,
      ),
    ])
  })

  it('warns about a node that returns sampled blocks slowly', async () => {
    const { node, url, name, now } = await startNode()
    node.chain.mine([mint])
    node.chain.mine([])
    node.chain.mine([])
    const deadline = new AbortController()
    const createTimeout = AbortSignal.timeout.bind(AbortSignal)
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    timeout.mockImplementation((ms) => (ms === 30_000 ? deadline.signal : createTimeout(ms)))
    onTestFinished(() => timeout.mockRestore())
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
      if (method === 'eth_getBlockReceipts' && params[0] === node.chain.blocks[4]?.hash) {
        deadline.abort()
      }
      return transformResult(method, params, result)
    }
    const lines = await formatFindings(createConfig({ rpcUrls: [url] }), now)
    expect(lines.filter((line) => !line.startsWith('ok'))).toEqual([
      `warning chain 7, node ${name}: returned 1 of 5 sampled blocks within 30 s: use a faster node`,
    ])
  })

  it('reports a node without state', async () => {
    const { node, url, now } = await startNode()
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
      if (method === 'eth_getBalance') {
        throw new FakeNodeError(-32000, 'missing trie node')
      }
      return transformResult(method, params, result)
    }
    expect(await formatFindings(createConfig({ rpcUrls: [url] }), now, 'error')).toEqual([
      expect.stringContaining('does not serve balances at its latest block (eth_getBalance: '),
    ])
  })

  it('reports missing contracts and contracts of another kind', async () => {
    const { node, url, now } = await startNode()
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
      if (method === 'eth_call' && (params[0] as { to: string }).to === factory) {
        throw new FakeNodeError(3, 'execution reverted')
      }
      return transformResult(method, params, result)
    }
    const nowhere = testAddress(0x77)
    const config = createConfig({ rpcUrls: [url], marketplaces: [nowhere] })
    expect(await formatFindings(config, now, 'error')).toEqual([
      `error chain 7, contracts: uniswapV2Factories: ${factory} has no function allPairsLength(): correct the address`,
      `error chain 7, contracts: marketplaces: ${nowhere} has no function name(): correct the address`,
    ])
  })

  it('reports contracts that cannot be called', async () => {
    const { node, url, now } = await startNode()
    const { transformResult } = node
    node.transformResult = (method, params, result) => {
      if (method === 'eth_call') {
        throw new FakeNodeError(-32601, 'eth_call is not allowed')
      }
      return transformResult(method, params, result)
    }
    const errors = await formatFindings(createConfig({ rpcUrls: [url] }), now, 'error')
    expect(errors).toHaveLength(3)
    expect(errors[0]).toContain(`stablecoins: ${stablecoin} cannot be called (`)
  })

  it('warns about settings that are probably not intended', async () => {
    const { url, now } = await startNode()
    const chain = { rpcUrls: [url], tags: [], startBlock: 2, stablecoins: [] }
    const config = createConfig(chain, { host: '0.0.0.0', role: 'serve' })
    const media = { ...config.media, dangerouslyAllowPrivateNetworks: true }
    expect(await formatFindings({ ...config, media }, now, 'warning')).toEqual([
      expect.stringContaining('no chain has the tag "default"'),
      expect.stringContaining('chain 7 starts at block 2: earlier transfers are not counted'),
      expect.stringContaining('publicUrl is not set'),
      expect.stringContaining('the role serve needs a shared store'),
      expect.stringContaining('media.dangerouslyAllowPrivateNetworks'),
      expect.stringContaining('no stablecoins are configured'),
    ])
    expect(
      await formatFindings(
        createConfig({ rpcUrls: [url], uniswapV2Factories: [] }),
        now,
        'warning',
      ),
    ).toEqual([expect.stringContaining('no pool factories are configured')])
  })

  it('warns about a single stablecoin without a feed, whose lost peg cannot be detected', async () => {
    const { url, now } = await startNode()
    const chain = { rpcUrls: [url], stablecoins: [stablecoin] }
    expect(await formatFindings(createConfig(chain), now, 'warning')).toEqual([
      'warning configuration: chain 7: a lost peg of its only stablecoin cannot be detected: list another one, or a price feed',
    ])
    const feed = { token: stablecoin, address: testAddress(0x33), heartbeatSeconds: 3600 }
    const withFeed = createConfig({ ...chain, priceFeeds: [{ ...feed, everyBlocks: 1 }] })
    expect(checkConfig(withFeed).map(({ level }) => level)).toEqual(['ok'])
  })

  it('reports a factory of another venue', async () => {
    const { url, now } = await startNode()
    // It returns a word for each function, as one that has them all.
    const config = createConfig({ rpcUrls: [url], uniswapV3Factories: [factory] })
    expect(await formatFindings(config, now, 'error')).toEqual([
      `error chain 7, contracts: uniswapV3Factories: ${factory} is of another kind, as it has feeAmountTickSpacingExtraInfo(uint24): correct the address`,
    ])
  })

  it('warns about a chain that has not reached the first block to index', async () => {
    const { url, now } = await startNode()
    const config = createConfig({ rpcUrls: [url], startBlock: 9 })
    expect(await formatFindings(config, now, 'warning')).toContainEqual(
      expect.stringContaining('has not reached block 9'),
    )
    expect(await formatFindings(config, now)).toContainEqual(
      expect.stringContaining('headers of 0 sampled blocks'),
    )
  })
})
