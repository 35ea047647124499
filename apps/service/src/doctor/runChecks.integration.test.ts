import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DevnetChain, devnetOne, startChain } from '@headwater/devnet'
import { testAddress } from '../../test/seedChain.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'

let chain: DevnetChain
const folder = mkdtempSync(join(tmpdir(), 'headwater-doctor-'))
beforeAll(async () => {
  chain = await startChain({ scenario: devnetOne, days: 1, live: false })
})
afterAll(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true })
})

async function runChecks(changes: object) {
  const file = join(folder, 'headwater.config.json')
  writeFileSync(file, JSON.stringify({ chains: [{ ...chain.config, ...changes }] }))
  const doctor = startServiceProcess(['doctor', '--config', file, '--data', join(folder, 'data')])
  const code = await doctor.ended
  return { code, lines: doctor.printed.stdout.trimEnd().split('\n'), stderr: doctor.printed.stderr }
}

it('accepts a node and its contracts, and exits with 0', async () => {
  const { code, lines } = await runChecks({})
  expect(lines).toEqual([
    'ok       configuration: 1 chain',
    expect.stringMatching(/^ok {7}data folder: .* will be created at the first start$/),
    expect.stringMatching(/^ok {7}chain 31337, node 127\.0\.0\.1:\d+: is at block \d+/),
    expect.stringMatching(/: has whole-block receipts$/),
    expect.stringMatching(/: serves logs from block 1 on$/),
    expect.stringMatching(/: has logs that match the headers of 10 sampled blocks$/),
    expect.stringMatching(/: serves balances at its latest block$/),
    expect.stringMatching(/: block hashes are verifiable, receipts roots are verifiable$/),
    expect.stringMatching(/: (reports blocks as finalized, at present|blocks are final 64 below)/),
    expect.stringMatching(/: has no limits that were found$/),
    expect.stringMatching(
      /, WebSocket of node 127\.0\.0\.1:\d+: accepts subscriptions to new blocks$/,
    ),
    'ok       chain 31337, contracts: all 16 have the expected functions',
  ])
  expect(code).toBe(0)
})

it('prints errors and exits with 1', async () => {
  const nowhere = testAddress(0x77)
  const token = chain.token('HUSD').address
  const changes = { marketplaces: [nowhere], uniswapV2Factories: [token] }
  const { code, lines, stderr } = await runChecks(changes)
  expect(lines.filter((line) => line.startsWith('ERROR'))).toEqual([
    `ERROR    chain 31337, contracts: uniswapV2Factories: ${token} has no function allPairsLength(): correct the address`,
    `ERROR    chain 31337, contracts: marketplaces: ${nowhere} has no function name(): correct the address`,
  ])
  expect(stderr).toBe(
    'Checking the configuration, the store and 1 node …\nheadwater: 2 errors; see the lines above\n',
  )
  expect(code).toBe(1)
})
