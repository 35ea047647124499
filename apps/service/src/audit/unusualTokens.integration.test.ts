import { pino } from 'pino'
import { type Address, encodeFunctionData, type Hex, numberToHex, padHex, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import type { BalancesResponse, TokenHoldersResponse } from '@headwater/contract'
import { weth9Bytecode } from '@headwater/devnet'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { markAllNotable } from '../../test/markAllNotable.ts'
import { startCollections, wallet } from '../../test/startCollections.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { topics } from '../indexing/decode/topics.ts'
import { fillPendingTokens } from '../metadata/fillPendingTokens.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import type { Store } from '../store/Store.ts'
import { auditLedger, createLedgerAuditState } from './auditLedger.ts'

/** Indexes and serves a new chain. */
async function start(store: Store) {
  const world = await startCollections()
  const { chainId } = world
  const config = testChainConfig(chainId, { rpcUrls: [world.node.url], pollIntervalMs: 20 })
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
  const indexer = indexTestChain(store, config, { logger })
  const node = new ChainNode([world.node.url])
  const service = await startTestService(store, [config])
  const options = { db: store.db, node, chainId, logger: pino({ level: 'silent' }) }
  const state = createLedgerAuditState()
  const get = async <Body>(path: string) =>
    (await (await service.fetch(path)).json()) as Body & { code?: string }
  return {
    world,
    stop: indexer.stop,
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    metrics: async () => await (await service.fetch('/metrics')).text(),
    async audit() {
      await indexer.reaches(await world.headHash())
      await fillPendingTokens(store.db, node, chainId)
      await markAllNotable(store)
      while (!(await auditLedger(options, state, 100)).isDone) {
        // Until every amount was compared.
      }
    },
    async getWallet(holder: string) {
      const path = `/v1/evm/balances/${holder}?chain_ids=${chainId}&filters=erc20`
      const { balances, errors } = await get<BalancesResponse>(path)
      return { rows: balances.map(({ address, amount }) => [address, amount]), errors }
    },
    getSingle: async (holder: string, token: string) =>
      await get<BalancesResponse>(`/v1/evm/balances/${holder}/token/${token}?chain_ids=${chainId}`),
    getHolders: async (token: string) =>
      await get<TokenHoldersResponse>(`/v1/evm/token-holders/${chainId}/${token}`),
  }
}

describeEachStore('unusual tokens', (openTestStore) => {
  it('with Deposit and Withdrawal but no Transfer equal their contracts', async () => {
    const service = await start(await openTestStore())
    const { world } = service
    const weth = await world.create(weth9Bytecode)
    const [alice, bob] = (await world.node.call<Address[]>('eth_accounts')) as [Address, Address]
    const send = async (from: Address, value: number, data: Hex) =>
      await world.node.call('eth_sendTransaction', {
        from,
        to: weth,
        data,
        value: numberToHex(value),
        gas: numberToHex(200_000),
      })
    const abi = parseAbi(['function deposit()', 'function withdraw(uint256)'])
    const deposit = encodeFunctionData({ abi, functionName: 'deposit' })
    await send(alice, 5, deposit)
    await send(bob, 3, deposit)
    await send(bob, 0, encodeFunctionData({ abi, functionName: 'withdraw', args: [1n] }))
    await world.node.call('evm_mine')
    await service.audit()
    for (const [holder, amount] of [
      [alice, '5'],
      [bob, '2'],
    ] as const) {
      expect(await world.read([weth, 'balanceOf', holder])).toBe(BigInt(amount))
      expect(await service.getWallet(holder)).toEqual({ rows: [[weth, amount]], errors: undefined })
      expect((await service.getSingle(holder, weth)).balances).toMatchObject([{ amount }])
    }
    const { holders } = await service.getHolders(weth)
    expect(holders.map(({ wallet_address, balance }) => [wallet_address, balance])).toEqual([
      [alice, '5'],
      [bob, '2'],
    ])
    await service.stop()
  })

  it('with kilobytes as a balance are errors, and with a few words are decoded', async () => {
    const service = await start(await openTestStore())
    const { world } = service
    const [long, huge] = (await world.deploy('OversizedToken', 2)) as [Address, Address]
    const holder = wallet(0)
    await world.mine([
      [long, 'setSize', 96n],
      [huge, 'setSize', 20_000n],
      [long, 'mint', holder, 57n],
      [huge, 'mint', holder, 57n],
    ])
    await service.audit()
    // As the client decodes it.
    expect(await world.read([long, 'balanceOf', holder])).toBe(50n)
    const error = {
      chain_id: world.chainId,
      address: huge,
      description: 'The contract of this token returns no balance at the head block',
    }
    const { rows, errors } = await service.getWallet(holder)
    expect(rows).toEqual([[long, '50']])
    expect(errors?.token_errors).toEqual([error])
    const single = await service.getSingle(holder, huge)
    expect([single.balances, single.errors?.token_errors]).toEqual([[], [error]])
    expect((await service.getSingle(holder, long)).balances).toMatchObject([{ amount: '50' }])
    expect(await service.getHolders(huge)).toMatchObject({ code: 'HOLDERS_NOT_READ' })
    await service.stop()
  })

  it('with a batch of ERC2309 beyond the limit are logged and counted', async () => {
    const service = await start(await openTestStore())
    const { world } = service
    const [emitter] = (await world.deploy('LogEmitter')) as [Address]
    const word = (value: Hex | number) =>
      padHex(typeof value === 'number' ? numberToHex(value) : value, { size: 32 })
    const batch: string[] = [topics.consecutiveTransfer, word(1), word(0), word(wallet(0))]
    await world.mine([
      [emitter, 'emitLog', batch, word(5001)],
      [emitter, 'emitLog', batch, word(5000)],
    ])
    await service.audit()
    expect(await service.metrics()).toContain(
      `headwater_skipped_events{chain="${world.chainId}"} 1`,
    )
    const reason = 'ConsecutiveTransfer of 5001 tokens exceeds the limit of 5000 per event'
    expect(service.log().filter(({ msg }) => msg === 'events skipped')).toMatchObject([
      { count: 1, first: { contract: emitter, block: 1, logIndex: 0, reason } },
    ])
    await service.stop()
  })
})
