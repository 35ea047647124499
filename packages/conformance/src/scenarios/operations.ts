import { assert } from 'chai'
import {
  balancesQueryOptions,
  type TokenBalanceParameters,
  tokenBalanceQueryOptions,
  type TransactionClient,
} from '@headwater/core'
import { scenario } from '../Scenario.ts'
import { balances, tokenBalance, tokenHolders, tokenInfo, usage, waitForChange } from '../views.ts'
import { alice, bob, countRequests, give, interval, native } from './world.ts'

const ofAlice: TokenBalanceParameters = { address: alice, tokenAddress: 'native', chainIds: [1] }

/** Single operations, usage, and changes by transactions. */
export const operations = [
  scenario('shows a token, and polls it', async (stage) => {
    stage.service.setPrice(native(stage), 2000)
    const shown = await stage.mount(
      stage.createClient(),
      tokenInfo({ address: 'native', chainIds: [1] }),
    )
    assert.equal(shown.text(), 'success ETH 2000')
    stage.service.advance()
    stage.service.setPrice(native(stage), 2001)
    await stage.pass(interval)
    assert.deepEqual(shown.rendered(), ['pending', 'success ETH 2000', 'success ETH 2001'])
    assert.equal(countRequests(stage, 'tokenInfo'), 2)
  }),

  scenario("shows a wallet's balance of a token", async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(stage.createClient(), tokenBalance(ofAlice))
    assert.equal(shown.text(), 'success 5')
    give(stage, alice, 6)
    await stage.pass(interval)
    assert.deepEqual(shown.rendered(), ['pending', 'success 5', 'success 6'])
    await shown.update(tokenBalance({ ...ofAlice, address: bob }))
    assert.equal(shown.text(), 'success 0')
  }),

  scenario('shows the holders of a token', async (stage) => {
    const token = stage.service.token('LINK')
    const { chainId, address } = token
    stage.service.setAmount(alice, token, 10n ** 30n)
    const shown = await stage.mount(stage.createClient(), tokenHolders({ chainId, address }))
    assert.match(shown.text()!, new RegExp(`^success \\d+, largest ${10n ** 30n}$`))
    stage.service.setAmount(alice, token, 2n * 10n ** 30n)
    await stage.pass(interval)
    assert.match(shown.text()!, new RegExp(`^success \\d+, largest ${2n * 10n ** 30n}$`))
  }),

  scenario('updates the usage with each response', async (stage) => {
    const client = stage.createClient()
    const shown = await stage.mount(client, usage(), tokenBalance(ofAlice))
    assert.equal(shown.text(), '1')
    await stage.pass(interval)
    assert.equal(shown.text(), '2')
    assert.deepEqual(shown.rendered(), ['0', '1', '2'])
    assert.equal(stage.service.units, 2)
    assert.deepEqual(shown.value('usage').byOperation, { tokenBalance: 2 })
  }),

  scenario('waits for a change, and shows it in all components of the query', async (stage) => {
    give(stage, alice, 5)
    const client = stage.createClient()
    const shown = await stage.mount(client, waitForChange(), tokenBalance(ofAlice))
    assert.equal(shown.text(), 'idle')
    const result = shown
      .value('waitForChange')
      .waitForChange(tokenBalanceQueryOptions(client, ofAlice))
    await stage.pass(1000)
    assert.equal(shown.text(), 'pending')
    give(stage, alice, 6)
    await stage.pass(3000)
    assert.equal(shown.text(0), 'changed')
    assert.equal(shown.text(1), 'success 6')
    assert.deepEqual(shown.rendered(1), ['pending', 'success 5', 'success 6'])
    assert.equal((await result).status, 'changed')
  }),

  scenario('waits for a change of a token by a minimum, and ignores others', async (stage) => {
    const { service } = stage
    const usdc = service.token('USDC')
    give(stage, alice, 5)
    const client = stage.createClient()
    const shown = await stage.mount(client, waitForChange(), balances(alice, {}, { chainIds: [1] }))
    const result = shown
      .value('waitForChange')
      .waitForChange(balancesQueryOptions(client, { address: alice, chainIds: [1] }), {
        token: native(stage),
        minDelta: '3',
      })
    await stage.pass(1000)
    service.setAmount(alice, usdc, 1000n)
    give(stage, alice, 7)
    await stage.pass(3000)
    assert.equal(shown.text(0), 'pending')
    assert.equal(shown.text(1), 'success USDC 1000, ETH 7')
    give(stage, alice, 8)
    await stage.pass(10_000)
    assert.equal(shown.text(0), 'changed')
    assert.equal((await result).transaction, undefined)
  }),

  scenario('waits for the block of a transaction, and shows its state', async (stage) => {
    const client = stage.createClient()
    const shown = await stage.mount(client, waitForChange(), tokenBalance(ofAlice))
    const hash = `0x${'7'.repeat(64)}` as const
    const sent = { hash, from: bob, to: alice, nonce: 3, value: 6n, input: '0x' }
    let block = 0n
    const node: TransactionClient = {
      chain: { id: 1 },
      getTransaction: () => Promise.resolve(sent),
      getTransactionReceipt: () =>
        block === 0n
          ? Promise.reject(Object.assign(new Error(), { name: 'TransactionReceiptNotFoundError' }))
          : Promise.resolve({
              transactionHash: hash,
              blockHash: hash,
              blockNumber: block,
              status: 'success',
            }),
      getTransactionCount: () => Promise.resolve(3),
      getBlock: () => Promise.resolve({ number: 1n, transactions: [] }),
    }
    const result = shown
      .value('waitForChange')
      .waitForChange(tokenBalanceQueryOptions(client, ofAlice), {
        transaction: { hash, client: node },
      })
    await stage.pass(5000)
    assert.equal(shown.text(), 'pending, transaction pending')
    assert.equal(countRequests(stage), 1)
    give(stage, alice, 6)
    block = 1n
    await stage.pass(5000)
    assert.equal(shown.text(), 'changed, transaction mined')
    assert.equal(shown.text(1), 'success 6')
    assert.deepEqual((await result).transaction, {
      status: 'mined',
      hash,
      blockHash: hash,
      blockNumber: 1n,
    })
  }),

  scenario('stops waiting for a change when it is cancelled', async (stage) => {
    const client = stage.createClient()
    const shown = await stage.mount(client, waitForChange())
    const { waitForChange: begin, cancel } = shown.value('waitForChange')
    void begin(tokenBalanceQueryOptions(client, ofAlice))
    await stage.pass(1000)
    cancel()
    await stage.pass(0)
    assert.equal(shown.text(), 'idle')
    const before = countRequests(stage)
    await stage.pass(60_000)
    assert.equal(countRequests(stage), before)
    assert.equal(shown.value('waitForChange').waitForChange, begin)
  }),

  scenario('stops waiting for a change when it is unmounted', async (stage) => {
    const client = stage.createClient()
    const shown = await stage.mount(client, waitForChange())
    const result = shown
      .value('waitForChange')
      .waitForChange(tokenBalanceQueryOptions(client, ofAlice))
    await stage.pass(1000)
    await shown.unmount()
    await stage.pass(1000)
    const before = countRequests(stage)
    await stage.pass(60_000)
    assert.equal(countRequests(stage), before)
    assert.equal((await result).status, 'idle')
  }),

  scenario('waits for a separate change per component', async (stage) => {
    const client = stage.createClient()
    const shown = await stage.mount(client, waitForChange(), waitForChange())
    void shown.value('waitForChange', 0).waitForChange(tokenBalanceQueryOptions(client, ofAlice))
    await stage.pass(100)
    assert.equal(shown.text(0), 'pending')
    assert.equal(shown.text(1), 'idle')
  }),

  scenario('sends separate requests for different operations', async (stage) => {
    give(stage, alice, 5)
    const shown = await stage.mount(
      stage.createClient(),
      balances(alice, {}, { chainIds: [1] }),
      tokenBalance(ofAlice),
    )
    assert.equal(shown.text(0), 'success ETH 5')
    assert.equal(shown.text(1), 'success 5')
    assert.equal(countRequests(stage), 2)
  }),
]
