import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { mineMintedChain } from '../../test/startMintedChain.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { sendCommandToService } from '../commands/sendCommandToService.ts'
import type { ChainCommand } from './ChainCommand.ts'

it(
  'repairs a chain through the service that has the embedded database open',
  { timeout: 120_000 },
  async () => {
    const chain = mineMintedChain()
    const node = await startFakeNode(chain, 7)
    const folder = mkdtempSync(join(tmpdir(), 'headwater-repair-'))
    const file = join(folder, 'headwater.config.json')
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const depths = { pollIntervalMs: 50, finalityDepth: 2, undoDepth: 6 }
    const chains = [{ id: 7, name: 'seven', rpcUrls: [node.url], nativeCurrency, ...depths }]
    writeFileSync(file, JSON.stringify({ chains }))
    prepareDataFolder(join(folder, 'data'))
    const args = ['--config', file, '--data', join(folder, 'data'), '--port', '0']
    const service = startServiceProcess(['start', ...args])
    onTestFinished(async () => {
      await service.kill('SIGKILL')
      await node.close()
      rmSync(folder, { recursive: true })
    })
    const { url } = await service.waitFor('ready')

    const progress: string[] = []
    const send = (command: ChainCommand) =>
      sendCommandToService(join(folder, 'data'), command, (text) => progress.push(text))
    const expectState = async (state: object) => {
      const read = async () => {
        const { chains } = (await (await fetch(`${url}/ready`)).json()) as { chains: object[] }
        return chains
      }
      await expect.poll(read).toMatchObject([state])
    }
    const indexed = { indexed_block: 10, available: true, stopped: false, hold: null }
    await expectState(indexed)
    expect(await send({ type: 'chain-status', configured: [testChainConfig(7)] })).toMatch(
      /^chain 7: synced\n {2}indexed block 10,/,
    )
    expect(await send({ type: 'chain-rewind', chainId: 7, to: 5 })).toBe(
      'Chain 7 was rewound from block 10 to block 5; indexing continues from there',
    )
    await expectState(indexed)
    expect(await send({ type: 'chain-reset', chainId: 7 })).toContain('Chain 7 was reset')
    expect(progress).toContain('Deleting the rows of chain 7')
    await expectState(indexed)
    expect(await send({ type: 'chain-detach', chainId: 7 })).toContain('Chain 7 was detached')
    await expectState({ available: false, stopped: true, hold: 'detached' })
    for (const line of [
      'the chain is held by chain reset: if that does not run any more, repeat it',
      'the chain was released; indexing it again',
      'the chain is detached: headwater chain reset --chain 7 indexes it again',
    ]) {
      await expect.poll(() => service.printed.stderr).toContain(line)
    }

    // Rejected commands state why, and change nothing.
    await expect(send({ type: 'chain-rewind', chainId: 7, to: 5 })).rejects.toThrow('is detached')
    await expect(send({ type: 'chain-reset', chainId: 8 })).rejects.toThrow(
      'Chain 8 is not in the store',
    )
    await send({ type: 'chain-reset', chainId: 7 })
    await expectState(indexed)
    await expect(send({ type: 'chain-rewind', chainId: 7, to: 3 })).rejects.toThrow(
      'Chain 7 can be rewound to block 4 at the lowest; use chain reset to index it again',
    )
    await expect(send({ type: 'chain-rewind', chainId: 7, to: 10 })).rejects.toThrow(
      'Chain 7 is indexed up to block 10 only',
    )
    await expectState(indexed)
  },
)
