import { Ajv } from 'ajv'
import { isBalance, isBalancesResponse } from '@headwater/contract'
import { operationSchemas } from '@headwater/contract/schemas'
import { type BalancesResponse, createClient, getBalances } from '@headwater/core'
import type { Measured } from '../../checkTargets.ts'
import type { Figure } from '../Figure.ts'

const rounds = 300
const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const text = JSON.stringify({
  wallet_address: address,
  balances: Array.from({ length: 1000 }, (_, index) => ({
    chain: 'ethereum',
    chain_id: 1,
    address: `0x${index.toString(16).padStart(40, '0')}`,
    amount: String(10n ** 18n * BigInt(index + 1)),
    symbol: `TKN${index}`,
    name: `Token ${index}`,
    decimals: 18,
    price_usd: 1.5 * index,
    value_usd: 2.5 * index,
    pool_size: 123_456.78,
    low_liquidity: false,
  })),
})

/** The cost of parsing and validating a response. */
export const figure: Figure = {
  title: 'parse and validate 1,000 balances',
  contenders: {
    // A request without the network: parameters, units, validation, deduplication by identity.
    headwater: () => {
      const response = { ok: true, headers: new Headers(), text: () => Promise.resolve(text) }
      const fetch = () => Promise.resolve(response as Response)
      const client = createClient({ baseUrl: 'https://example.org', ssr: false, fetch })
      return least(() => getBalances(client, { address }))
    },
    'headwater, its validators alone': () =>
      least(() => {
        const response = parse()
        return isBalancesResponse(response) && response.balances.every((item) => isBalance(item))
      }),
    'JSON.parse': () => least(parse),
    'ajv, compiled': () => {
      const ajv = new Ajv({ formats: { 'date-time': true }, allowUnionTypes: true, strict: false })
      const isItem = ajv.compile(operationSchemas.balances.item)
      return least(() => parse().balances.every((item) => isItem(item)))
    },
  },
  reach: [
    { of: ['headwater', 'ms'], atMost: 2, times: ['JSON.parse', 'ms'] },
    { of: ['headwater, its validators alone', 'ms'], atMost: 2, times: ['JSON.parse', 'ms'] },
  ],
}

function parse(): BalancesResponse {
  return JSON.parse(text) as BalancesResponse
}

/** The minimum of many runs, because other load and garbage collection only add to it. */
async function least(work: () => unknown): Promise<Measured> {
  let ms = Infinity
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    if ((await work()) === false) {
      throw new Error('The balances are invalid.')
    }
    ms = Math.min(ms, performance.now() - begin)
  }
  return { ms }
}
