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
  return { code, lines: doctor.printed.stdout.trimEnd().split('\n'), said: doctor.printed.stderr }
}

it('finds a real node and real contracts well, and ends with 0', async () => {
  const { code, lines } = await runChecks({})
  expect(lines).toEqual([
    'ok       configuration: 1 chain',
    expect.stringMatching(/^ok {7}data folder: .* will be made at the first start$/),
    expect.stringMatching(/^ok {7}chain 31337, node 127\.0\.0\.1:\d+: is at block \d+/),
    expect.stringMatching(/: has whole-block receipts$/),
    expect.stringMatching(/: tells logs from block 1 on$/),
    expect.stringMatching(/: tells balances at its newest block$/),
    'ok       chain 31337, contracts: all 6 are what they are said to be',
  ])
  expect(code).toBe(0)
})

it('says what is wrong and ends with 1', async () => {
  const nowhere = testAddress(0x77)
  const token = chain.token('HUSD').address
  const changes = { marketplaces: [nowhere], uniswapV2Factories: [token] }
  const { code, lines, said } = await runChecks(changes)
  expect(lines.filter((line) => line.startsWith('ERROR'))).toEqual([
    `ERROR    chain 31337, contracts: uniswapV2Factories names ${token}, which has no allPairsLength(): correct it`,
    `ERROR    chain 31337, contracts: marketplaces names ${nowhere}, which has no name(): correct it`,
  ])
  expect(said).toBe('headwater: 2 errors; the lines above say more\n')
  expect(code).toBe(1)
})

it('finds that a node is of another chain', async () => {
  const { code, lines } = await runChecks({ id: 31338 })
  expect(lines.at(-1)).toMatch(/^ERROR {4}chain 31338, node .*: serves chain 31337, not 31338/)
  expect(code).toBe(1)
})
