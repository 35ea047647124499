import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zeroAddress } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { mockBalanceOf } from '../../test/mockBalanceOf.ts'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'

it('runs in the indexing service, which logs mismatches and counts them in /metrics', async () => {
  const honest = testAddress(0x100)
  const odd = testAddress(0x200)
  const holder = testAddress(1)
  const chain = new FakeChain()
  for (const token of [honest, odd]) {
    chain.mine([{ type: 'transfer', token, from: zeroAddress, to: holder, amount: 5n }])
  }
  const node = await startFakeNode(chain, 4242)
  mockBalanceOf(node, ({ token, transferred }) => (token === odd ? 3n : transferred))
  const folder = mkdtempSync(join(tmpdir(), 'headwater-audit-'))
  const file = join(folder, 'headwater.config.json')
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const config = { id: 4242, name: 'one', rpcUrls: [node.url], nativeCurrency, pollIntervalMs: 50 }
  writeFileSync(file, JSON.stringify({ chains: [config] }))
  prepareDataFolder(join(folder, 'headwater-data'))
  const service = startServiceProcess(['start', '--config', file, '--port', '0'])
  onTestFinished(async () => {
    await service.kill('SIGKILL')
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { url } = await service.waitFor('ready')
  const metrics = async () => await (await fetch(`${url}/metrics`)).text()
  // Found before the service is ready, so that no response was wrong.
  expect(await metrics()).toContain('headwater_audit_tokens_read_from_chain{chain="4242"} 1')
  expect(await metrics()).toContain('headwater_audit_mismatched_total{chain="4242"} 1')
  expect(await metrics()).toMatch(/^headwater_audit_tokens\{chain="4242"\} 1$/m)
  expect(await metrics()).toMatch(/^headwater_audit_tokens_never_audited\{chain="4242"\} 0$/m)
  expect(await metrics()).toMatch(/^headwater_audit_holders\{chain="4242"\} 1$/m)
  const doctor = startServiceProcess(['doctor', '--config', file])
  await doctor.ended
  expect(doctor.printed.stdout).toMatch(/^ok {7}chain 4242, index: is complete up to block \d+$/m)
  expect(doctor.printed.stdout).toMatch(
    /^ok {7}chain 4242, audit: 1 of 1 tokens are audited, the oldest audit is \d+ s old; [01] of 1 amounts/m,
  )
  const found = service.printed.stderr
    .split('\n')
    .filter((line) => line.includes('differs from balanceOf'))
    .map((line) => JSON.parse(line) as object)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({ token: odd, holder, ledger: '5', balanceOf: '3', block: 2 })
})
