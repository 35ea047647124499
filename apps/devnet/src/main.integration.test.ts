import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { JsonRpc } from './anvil/JsonRpc.ts'
import { sampleWallets } from './sampleWallets.ts'
import type { ServiceChainConfig } from './serviceChainConfig.ts'

interface Ready {
  type: 'ready'
  chains: { chainId: number; rpcUrl: string }[]
}

let folder: string
let child: ChildProcess | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-devnet-'))
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

async function start(): Promise<{ main: ChildProcess; ready: Ready; progress: string[] }> {
  const main = new URL('main.ts', import.meta.url).pathname
  const options = ['--days', '0.5', '--data', folder, '--ports', '0,0']
  child = spawn(process.execPath, [main, ...options, '--config-out', join(folder, 'config.json')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const progress: string[] = []
  const ready = await new Promise<Ready>((resolve, reject) => {
    child?.on('message', (message: Ready | { type: 'progress'; text: string }) => {
      if (message.type === 'progress') {
        progress.push(message.text)
      } else {
        resolve(message)
      }
    })
    child?.once('exit', (code) => {
      reject(new Error(`The devnet exited with ${String(code)}`))
    })
  })
  return { main: child, ready, progress }
}

/** Resolves when the node no longer responds. */
async function untilUnreachable(url: string): Promise<void> {
  for (;;) {
    try {
      await new JsonRpc(url).call('eth_chainId')
      await new Promise((resolve) => setTimeout(resolve, 50))
    } catch {
      return
    }
  }
}

test('starts both chains, writes the configuration and the wallets, and exits on a signal', async () => {
  const { main, ready, progress } = await start()
  expect(progress).toContain('devnet-one: mining the past 100 %')
  expect(ready.chains.map(({ chainId }) => chainId)).toEqual([31_337, 31_338])
  const read = async (name: string) =>
    JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown
  expect(await read('wallets.json')).toEqual(sampleWallets())
  const { chains } = (await read('config.json')) as { chains: ServiceChainConfig[] }
  expect(chains.map(({ id, rpcUrls }) => [id, rpcUrls])).toEqual(
    ready.chains.map(({ chainId, rpcUrl }) => [
      chainId,
      [{ url: rpcUrl, webSocketUrl: rpcUrl.replace('http:', 'ws:') }],
    ]),
  )
  expect(await read('config.tokenlist.json')).toMatchObject({
    tokens: expect.arrayContaining([expect.objectContaining({ symbol: 'SWELL' })]) as unknown,
  })
  for (const { wrappedNative, stablecoins, uniswapV2Factories, id } of chains) {
    const rpc = new JsonRpc(ready.chains.find(({ chainId }) => chainId === id)?.rpcUrl ?? '')
    for (const address of [wrappedNative, ...stablecoins, ...uniswapV2Factories]) {
      expect(address).toBe(address.toLowerCase())
      expect(await rpc.call<string>('eth_getCode', address, 'latest')).not.toBe('0x')
    }
  }
  const ended = once(main, 'exit')
  main.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  for (const { rpcUrl } of ready.chains) {
    await untilUnreachable(rpcUrl)
  }
})

test('leaves no node running when it is killed, continues at the next start, and exits when its parent exits', async () => {
  const first = await start()
  first.main.kill('SIGKILL')
  for (const { rpcUrl } of first.ready.chains) {
    await untilUnreachable(rpcUrl)
  }
  const { main, ready, progress } = await start()
  expect(progress).toContain('devnet-one: loading')
  const ended = once(main, 'exit')
  main.disconnect()
  expect(await ended).toEqual([0, null])
  for (const { rpcUrl } of ready.chains) {
    await untilUnreachable(rpcUrl)
  }
})
