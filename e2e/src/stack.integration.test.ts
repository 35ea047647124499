import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import { bindingNames } from '../../scripts/bindings.ts'
import { descendants, isAlive, killTree } from '../../scripts/processTree.mjs'
import { headsOf, nodesOf, rpc } from './chain.ts'
import { Demo } from './demo/Demo.ts'
import { balancesOf, walletOf } from './demo/wallets.ts'
import { expectEqualToChain } from './expectEqualToChain.ts'
import { newerThan } from './fetchApi.ts'
import { chooseLocation, Stack, type StackInfo, type StackLocation } from './Stack.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Expects that no file of a built page contains the key or the URL of the service, which only its proxy needs. */
async function expectNoSecrets(app: string, { key, urls }: StackInfo): Promise<void> {
  const folder = path.join(root, 'apps', app, 'dist')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(1)
  for (const { parentPath, name } of files) {
    const text = await readFile(path.join(parentPath, name), 'utf8')
    expect([key, urls.api].filter((secret) => text.includes(secret))).toEqual([])
  }
}

const longChainId = 31339

/**
 * Opens a wallet on the chain that is still searched for it, and calls `meanwhile` before waiting for the end of the search.
 * Expects the page to state the known share until then, and the other tokens to appear without a reload.
 */
async function expectCompletion(info: StackInfo, meanwhile: () => Promise<void>): Promise<void> {
  const alice = walletOf(info, 'alice')
  const browser = await launchChromium()
  try {
    const demo = await Demo.open(await browser.newContext(), info.urls.react)
    await demo.goto({ address: alice, chains: longChainId })
    await demo.rows().first().waitFor()
    const partial = demo.page.getByText(
      /^Chain 31339 is still searched for this wallet: [\d.]+% of its blocks are known/,
    )
    await partial.waitFor()
    await demo.mark()
    const [held] = (await balancesOf(info, alice, `?chain_ids=${longChainId}`)).filter(
      ({ address }) => address !== 'native',
    )
    const holders = await fetch(
      `${info.urls.api}/v1/evm/token-holders/${longChainId}/${held!.address}`,
      { headers: { 'X-Service-Api-Key': info.key } },
    )
    expect([holders.status, await holders.json()]).toMatchObject([503, {}])
    await meanwhile()
    await partial.waitFor({ state: 'detached', timeout: 180_000 })
    // The native asset and the twelve tokens.
    expect(await demo.rows().count()).toBe(13)
    await demo.expectNoReload()
    await demo.expectNoErrorsOrShifts()
  } finally {
    await browser.close()
  }
}

describe('npm start', () => {
  let place: StackLocation
  beforeAll(async () => {
    const data = await mkdtemp(path.join(tmpdir(), 'headwater-stack-'))
    place = { ...(await chooseLocation(data)), longBlocks: 30_000 }
  })
  afterAll(() => rm(place.data, { recursive: true }))

  /** Command lines of the processes that use this stack's folder. */
  const processes = () =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(place.data))

  it(
    'prints its URLs, stops with SIGTERM, and keeps correct data across a SIGKILL of the service',
    { timeout: 600_000 },
    async ({ onTestFailed }) => {
      const stack = new Stack(place)
      onTestFailed(() => killTree(stack.pid))
      const info = await stack.ready()
      for (const url of Object.values(info.urls)) {
        expect(stack.output).toContain(url)
      }
      await expectNoSecrets('landing', info)
      for (const name of bindingNames) {
        await expectNoSecrets(`${name}-demo`, info)
        const config = await (await fetch(`${info.urls[name]}/config.json`)).text()
        expect(config).toContain('"apiUrl":"/api"')
        expect(config).not.toContain(info.key)
      }
      await expectCompletion(info, async () => {
        // A second stack fails, because its ports are in use.
        const conflicting = new Stack(place)
        expect(await conflicting.exited()).toBe(1)
        expect(conflicting.output).toMatch(/Port \d+ .* is in use by another program/)
      })

      // After the search, which its request would start before the page is open.
      const curl = /curl .*/.exec(stack.output)![0]
      expect(
        JSON.parse(execFileSync('sh', ['-c', `${curl} --silent`], { encoding: 'utf8' })),
      ).toMatchObject({
        balances: expect.arrayContaining([expect.objectContaining({ chain_id: 31337 })]),
      })

      // After a SIGKILL of the service, npm start reports it and stops everything.
      process.kill(info.pids.service, 'SIGKILL')
      expect(await stack.exited()).toBe(1)
      expect(stack.output).toContain('The service exited (SIGKILL)')
      expect(processes()).toEqual([])

      const again = new Stack(place)
      onTestFailed(() => killTree(again.pid))
      const second = await again.ready()
      expect(second.key).toBe(info.key)
      // A restarted node has no state of blocks before its restart: neither to compare with, nor to replace by a reorg.
      const restarted = await headsOf(second)
      await newerThan(second, second.wallets[0]!.address, restarted)
      for (const { address } of second.wallets) {
        await expectEqualToChain(second, address)
      }

      // A reorg of five blocks while the service is indexing.
      for (const [chainId, node] of [...nodesOf(second)].slice(0, 2)) {
        const blockNumber = async () => Number(await rpc(node, 'eth_blockNumber', []))
        await expect
          .poll(blockNumber, { timeout: 120_000 })
          .toBeGreaterThan(restarted.get(chainId)! + 6)
        // Replaced also if up to four blocks are mined before the reorg.
        const at = `0x${(await blockNumber()).toString(16)}`
        const before = await rpc<{ hash: string }>(node, 'eth_getBlockByNumber', [at, false])
        await rpc(node, 'anvil_reorg', [5, []])
        const after = await rpc<{ hash: string }>(node, 'eth_getBlockByNumber', [at, false])
        expect(after.hash).not.toBe(before.hash)
      }
      await expect
        .poll(
          async () => {
            let equal = 0
            for (const { address } of second.wallets) {
              equal += await expectEqualToChain(second, address)
            }
            return equal
          },
          { timeout: 120_000 },
        )
        .toBeGreaterThan(0)

      // It exits after the processes that it started.
      expect(await again.kill('SIGTERM')).toBe(143)
      expect(processes()).toEqual([])
    },
  )

  it.each([
    { event: 'Ctrl-C', stop: (stack: Stack) => stack.interrupt(), code: 0 },
    { event: 'SIGTERM', stop: (stack: Stack) => stack.kill('SIGTERM'), code: 143 },
    { event: 'SIGKILL', stop: (stack: Stack) => stack.kill('SIGKILL'), code: null },
  ])('leaves no process behind after $event while it builds and starts', async ({ stop, code }) => {
    const stack = new Stack(place)
    // The launcher, npx of the build, the devnet and a process that one of them started.
    await expect.poll(() => descendants(stack.pid).length).toBeGreaterThan(3)
    const started = descendants(stack.pid)
    await stop(stack)
    expect(await stack.exited()).toBe(code)
    await expect.poll(() => [...started.filter(isAlive), ...processes()]).toEqual([])
  })

  it('leaves no process behind after SIGKILL of npm', async () => {
    const stack = new Stack(place, 'npm')
    // npm, its shell, the launcher, npx of the build, the devnet and a process that one of them started.
    await expect.poll(() => descendants(stack.pid).length).toBeGreaterThan(5)
    const started = descendants(stack.pid)
    await stack.kill('SIGKILL')
    await expect.poll(() => [...started.filter(isAlive), ...processes()]).toEqual([])
  })

  it('prints its options', async () => {
    const output = execFileSync(process.execPath, ['scripts/bootstrap.mjs', 'start', '--help'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(output).toContain('--api-port')
  })
})
