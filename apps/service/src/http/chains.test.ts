import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { oneBalanceChain, wallet } from '../../test/oneBalanceChain.ts'
import { seedChain } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'

describeEachStore('operations of one chain', (openTestStore) => {
  const start = async () => {
    const store = await openTestStore()
    await seedChain(store.db, oneBalanceChain)
    const { fetch } = await startTestService(store, [testChainConfig(7, { name: 'Seven Hills' })])
    return async (path: string) => {
      const response = await fetch(path)
      const body = (await response.json()) as { code?: string; param?: string }
      const cost = response.headers.get('x-compute-units-cost')
      return { status: response.status, code: body.code, param: body.param, cost }
    }
  }
  /** The operations, by the parameter that names their chain and by what they answer of chains that it names. */
  const operations = [
    ['chain_ids', (chain: string) => `/v1/evm/token-info/${testTokens.usd}?chain_ids=${chain}`],
    [
      'chain_ids',
      (chain: string) => `/v1/evm/balances/${wallet}/token/${testTokens.usd}?chain_ids=${chain}`,
    ],
    ['chain_id', (chain: string) => `/v1/evm/token-holders/${chain}/${testTokens.usd}`],
  ] as const

  it('answer 404 of a chain that is not served', async () => {
    const ask = await start()
    for (const [param, path] of operations) {
      expect(await ask(path('8'))).toEqual({
        status: 404,
        code: 'CHAIN_NOT_SUPPORTED',
        param,
        cost: '0',
      })
    }
  })

  it('take no names and no tags', async () => {
    const ask = await start()
    for (const [param, path] of operations) {
      for (const name of ['ethereum', 'Base', 'seven_hills']) {
        expect({ name, ...(await ask(path(name))) }).toMatchObject({
          status: 400,
          code: 'CHAIN_NAME_NOT_ACCEPTED',
          param,
        })
      }
      for (const tag of ['default', 'mainnet', 'nonsense', '0', '-7', '7.0']) {
        expect({ tag, ...(await ask(path(tag))) }).toMatchObject({
          status: 400,
          code: 'INVALID_PARAMETER',
          param,
        })
      }
    }
  })

  it('take exactly one chain', async () => {
    const ask = await start()
    for (const [param, path] of operations.filter(([name]) => name === 'chain_ids')) {
      for (const chains of ['7,8', '', '7,']) {
        expect({ chains, ...(await ask(path(chains))) }).toMatchObject({
          status: 400,
          code: 'INVALID_PARAMETER',
          param,
        })
      }
      const [none = ''] = path('').split('?')
      expect(await ask(none)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER', param })
      expect((await ask(path('7,7'))).status).toBe(200)
    }
  })

  it('cost what the specification says', async () => {
    const ask = await start()
    const costs = []
    for (const [, path] of operations) {
      costs.push((await ask(path('7'))).cost)
    }
    expect(costs).toEqual(['2', '1', '2'])
  })
})
