import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { compileContracts } from '@headwater/devnet'
import { createContractClient } from '../../test/createContractClient.ts'
import { startAnvil } from '../../test/startAnvil.ts'
import { startVenues } from '../../test/startVenues.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { factoryOptions, mapVenues } from '../pricing/venues/venues.ts'
import { checkContracts } from './checkContracts.ts'

it('accepts a factory as one of its own venue only', async () => {
  const { node, pools } = await startVenues()
  const [sender] = (await node.call<Address[]>('eth_accounts')) as [Address]
  const { deploy } = createContractClient(node, sender)
  const { SolidlyPairFactory, StakingToken, RebasedStake } = await compileContracts()
  const factories = new Map([
    ...pools.map(({ factory, option }) => [factory, option] as const),
    [await deploy(SolidlyPairFactory), 'solidlyFactories'],
    [await deploy(StakingToken), 'rocketPoolTokens'],
    [await deploy(RebasedStake), 'lidoTokens'],
  ])
  const { wrappedNative: _, ...chain } = testChainConfig(31_337, { stablecoins: [] })
  const checked = await Promise.all(
    [...factories].map(async ([factory, option]) => {
      const configured = { ...chain, ...mapVenues(() => [factory]) }
      const messages = (await checkContracts(configured, [node.url]))
        .filter(({ level }) => level === 'error')
        .map(({ message }) => message)
      const accepting = factoryOptions.filter(
        (each) => !messages.some((message) => message.startsWith(`${each}: ${factory} `)),
      )
      return { option, accepting }
    }),
  )
  expect(new Set(checked.map(({ option }) => option))).toEqual(new Set(factoryOptions))
  expect(checked).toEqual(checked.map(({ option }) => ({ option, accepting: [option] })))
})

it('reports a wrapped native asset with other decimals, as the ERC20 interface of USDC on Arc', async () => {
  const anvil = await startAnvil()
  const wrappedNative = '0x3600000000000000000000000000000000000000'
  // Returns 6 for any call.
  await anvil.call('anvil_setCode', wrappedNative, '0x60065f5260205ff3')
  const chain = testChainConfig(31_337, { stablecoins: [], wrappedNative })
  const errors = (await checkContracts(chain, [anvil.url])).filter(({ level }) => level === 'error')
  expect(errors.map(({ message }) => message)).toEqual([
    `wrappedNative: ${wrappedNative} has 6 decimals, nativeCurrency 18, so that the price of the native asset would be wrong: correct one of them, or remove wrappedNative`,
  ])
})
