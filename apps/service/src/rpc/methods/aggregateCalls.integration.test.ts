import { expect, it } from 'vitest'
import { startAnvil } from '../../../test/startAnvil.ts'
import { ChainNode } from '../ChainNode.ts'
import { NodePool } from '../transport/NodePool.ts'
import { aggregateCalls, nativeBalanceCall } from './aggregateCalls.ts'
import { decodeWord, wordCall } from './Call.ts'
import { runAggregated } from './runAggregated.ts'

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

/** Runtime codes of contracts. */
const codes = {
  // Returns the first word of its input.
  echo: '60003560005260206000f3',
  reverts: '60006000fd',
  // Uses up all gas.
  endless: '5b600056',
  // Returns 64 KiB.
  large: '620100006000f3',
  // Returns 300 bytes.
  text: '61012c6000f3',
}

/** Runtime codes that halt: contracts of old compilers do so where later ones revert. */
const halting = {
  invalid: 'fe',
  'bad jump': '600256',
  'unknown opcode': '0c',
  'empty stack': '50',
  'result out of bounds': '6001600060003e',
  'memory of any size': `7f${'ff'.repeat(32)}51`,
  'endless loop': codes.endless,
}

it('distinguishes contracts that halt from failures of the node', async () => {
  const anvil = await startAnvil('--gas-limit', '30000000')
  const calls = Object.keys(halting).map((_, index) => ({
    to: address(0xc0de + index),
    data: '0x',
  }))
  for (const [index, code] of Object.values(halting).entries()) {
    await anvil.call('anvil_setCode', calls[index]?.to, `0x${code}`)
  }
  const node = new ChainNode([anvil.url])
  const results = await node.multicall(calls, await node.getHead())
  const statuses = Object.keys(halting).map((name, index) => [name, results[index]?.status])
  expect(statuses).toEqual(Object.keys(halting).map((name) => [name, 'reverted']))
})

it('aggregates calls with the results that each has alone, in the fewest requests', async () => {
  const anvil = await startAnvil()
  const contracts = Object.fromEntries(
    Object.entries(codes).map(([name, code], index) => [
      name,
      { code, to: address(0xc0de + index) },
    ]),
  ) as Record<keyof typeof codes, { code: string; to: string }>
  for (const { code, to } of Object.values(contracts)) {
    await anvil.call('anvil_setCode', to, `0x${code}`)
  }
  await anvil.call('anvil_setBalance', address(7), '0x1234')
  await anvil.call('anvil_mine', '0x1')
  const node = new ChainNode([anvil.url])
  const head = await node.getHead()
  const { echo, reverts, endless, large, text } = contracts
  const echoed = Array.from({ length: 1500 }, (_, index) =>
    wordCall(echo.to, `0x${index.toString(16).padStart(64, '0')}`),
  )
  const countRequests = () => node.stats().reduce((sum, { requests }) => sum + requests, 0)

  const before = countRequests()
  const words = await node.multicall(echoed, head, { aggregatedBytes: 32 })
  expect(words.map((word) => Number(decodeWord(word)))).toEqual([...echoed.keys()])
  expect(countRequests() - before).toBe(3)

  const odd = [reverts, endless, large, text, { to: address(0xdead) }].map(({ to }) =>
    wordCall(to, `0x${'01'.padStart(64, '0')}`),
  )
  const mixed = [...odd, ...echoed.slice(0, 20), ...odd]
  const aggregated = await node.multicall(mixed, head, { aggregatedBytes: 32 })
  expect(aggregated).toEqual(await node.multicall(mixed, head))
  const native = [nativeBalanceCall(address(7)), ...echoed.slice(0, 1)]
  expect((await node.multicall(native, head, { aggregatedBytes: 32 })).map(decodeWord)).toEqual([
    0x1234n,
    0n,
  ])
})

it('isolates hundreds of contracts that use up the gas of an aggregation from the others', async () => {
  const anvil = await startAnvil('--gas-limit', '50000000')
  const contracts = Array.from({ length: 340 }, (_, index) => address(0xc0de + index))
  const isEcho = (index: number) => index % 8 === 0
  for (const [index, to] of contracts.entries()) {
    await anvil.call('anvil_setCode', to, `0x${isEcho(index) ? codes.echo : halting.invalid}`)
  }
  const head = await new ChainNode([anvil.url]).getHead()
  const calls = contracts.map((to) => wordCall(to, `0x${'07'.padStart(64, '0')}`))
  const results = await runAggregated(
    new NodePool([{ url: anvil.url }]),
    calls,
    (node, part, deadline) => aggregateCalls(node, part, 32, head, deadline),
    {},
  )
  expect(results.map((result) => result?.status)).toEqual(
    contracts.map((_, index) => (isEcho(index) ? 'success' : undefined)),
  )
})
