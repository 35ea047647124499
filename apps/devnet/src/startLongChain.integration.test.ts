import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { JsonRpc } from './anvil/JsonRpc.ts'
import { getAccount } from './scenarios/accounts.ts'
import { startLongChain } from './startLongChain.ts'

let dataFolder: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-long-'))
})
afterEach(() => rm(dataFolder, { recursive: true, force: true }))

const secondsOf = (blocks: number) => blocks * 12_000

it('continues the same chain after a restart, with the blocks that became due', async () => {
  // Ten blocks ago.
  const until = new Date(Date.now() - secondsOf(10))
  const first = await startLongChain({ dataFolder, blocks: 200, until })
  const read = async ({ rpcUrl }: { rpcUrl: string }) => {
    const rpc = new JsonRpc(rpcUrl)
    const balanceOf = `0x70a08231${getAccount('alice').address.slice(2).padStart(64, '0')}`
    const calls = first.tokens.map(({ address }) =>
      rpc.call<string>('eth_call', { to: address, data: balanceOf }, '0xd0'),
    )
    return {
      head: Number(await rpc.call<string>('eth_blockNumber')),
      block: await rpc.call<object>('eth_getBlockByNumber', '0xd0', true),
      amounts: (await Promise.all(calls)).map(BigInt),
    }
  }
  const before = await read(first)
  await first.stop()
  expect(before.head).toBeGreaterThanOrEqual(210)
  expect(before.amounts.every((amount) => amount > 0n)).toBe(true)

  const second = await startLongChain({ dataFolder, blocks: 999 })
  const after = await read(second)
  await second.stop()
  expect(after).toEqual({ ...before, head: after.head })
  expect(after.head).toBeGreaterThanOrEqual(before.head)
})
