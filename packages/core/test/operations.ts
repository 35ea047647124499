import type { Observable } from 'rxjs'
import { type OperationName, operations } from '@headwater/contract'
import { type Client } from '../src/client/Client.ts'
import type { CollectionStream, OperationQueryOptions, RequestOptions } from '../src/index.ts'
import * as core from '../src/index.ts'
import { address, balance, numberedAddress, otherAddress } from './balances.ts'

/** An operation with examples. */
interface Example {
  readonly parameters: object
  /** Path and query of a request with these parameters. */
  readonly request: string
  /** The parameter that query options add to request the largest page. */
  readonly largestPage?: string
  /** The field of the response with its items. */
  readonly items: string
  /** Creates a valid item. In a listing, another number is another row. */
  readonly createItem: (index: number) => object
  /** An invalid optional field. */
  readonly malformedField: object
  /** An invalid required field. */
  readonly malformedItem: object
  readonly createResponse: (...items: object[]) => object
}

/** An example of an operation, with its functions without their types. */
export interface OperationExample extends Example {
  readonly name: OperationName
  /** A valid item. */
  readonly item: object
  readonly get: (client: Client, parameters: object, options?: RequestOptions) => Promise<object>
  readonly queryOptions: (client: Client, parameters: object) => OperationQueryOptions<object>
  readonly watch: (client: Client, parameters: object, options?: object) => CollectionStream<object>
  /** Absent if there are no pages. */
  readonly paginate?: (client: Client, parameters: object, options?: object) => Observable<object>
}

const tokenAddress = otherAddress

/** An example of each operation. */
const examples: Record<OperationName, Example> = {
  tokenInfo: {
    parameters: { address: 'native', chainIds: [31337], historicalPrices: [24, 1] },
    request: '/v1/evm/token-info/native?chain_ids=31337&historical_prices=24,1',
    items: 'tokens',
    createItem: () => ({
      chain_id: 31337,
      chain: 'devnet',
      symbol: 'ETH',
      decimals: 18,
      price_usd: 2000.5,
    }),
    malformedField: { decimals: '18' },
    malformedItem: { chain_id: 'devnet' },
    createResponse: (...tokens) => ({ contract_address: 'native', tokens }),
  },
  tokenHolders: {
    parameters: { chainId: 31337, address: tokenAddress, limit: 10 },
    request: `/v1/evm/token-holders/31337/${tokenAddress}?limit=10`,
    items: 'holders',
    createItem: (index) => ({
      wallet_address: numberedAddress(index),
      balance: '10',
      has_initiated_transfer: true,
    }),
    malformedField: { has_initiated_transfer: 'yes' },
    malformedItem: { balance: 10 },
    createResponse: (...holders) => ({ token_address: tokenAddress, chain_id: 31337, holders }),
  },
  balances: {
    parameters: { address, chainIds: [31338, 31337], filters: 'erc20' },
    request: `/v1/evm/balances/${address}?chain_ids=31337,31338&filters=erc20`,
    largestPage: '&limit=1000',
    items: 'balances',
    createItem: (index) =>
      balance({ address: numberedAddress(index), symbol: 'ETH', price_usd: 2000.5 }),
    malformedField: { price_usd: '1' },
    malformedItem: { amount: '1.5' },
    createResponse: (...balances) => ({ wallet_address: address, balances }),
  },
  tokenBalance: {
    parameters: { address, tokenAddress, chainIds: [31337], metadata: ['url', 'logo'] },
    request: `/v1/evm/balances/${address}/token/${tokenAddress}?chain_ids=31337&metadata=logo,url`,
    items: 'balances',
    createItem: () => balance({ address: tokenAddress, amount: '0' }),
    malformedField: { symbol: 5 },
    malformedItem: { amount: -1 },
    createResponse: (...balances) => ({ wallet_address: address, balances }),
  },
  collectibles: {
    parameters: { address, chainIds: [31337, 31338], offset: 'a=b' },
    request: `/v1/evm/collectibles/${address}?chain_ids=31337,31338&offset=a%3Db`,
    largestPage: '&limit=2500',
    items: 'entries',
    createItem: (index) => ({
      contract_address: tokenAddress,
      token_standard: 'ERC721',
      token_id: String(index),
      chain_id: 31337,
      balance: '1',
      last_acquired: '2024-05-01T12:00:00Z',
    }),
    malformedField: { metadata: { attributes: 'none' } },
    malformedItem: { token_id: null },
    createResponse: (...entries) => ({
      address,
      entries,
      request_time: '2024-05-01T12:00:00.000Z',
      response_time: '2024-05-01T12:00:00.001Z',
    }),
  },
}

const functions = core as unknown as Record<string, never>

/** All operations, with their examples. */
export const operationExamples: readonly OperationExample[] = (
  Object.keys(operations) as OperationName[]
).map((name) => {
  const example = examples[name]
  const suffix = name[0]!.toUpperCase() + name.slice(1)
  return {
    ...example,
    name,
    item: example.createItem(0),
    get: functions[`get${suffix}`]!,
    queryOptions: functions[`${name}QueryOptions`]!,
    watch: functions[`watch${suffix}`]!,
    ...(`paginate${suffix}` in functions && { paginate: functions[`paginate${suffix}`]! }),
  }
})
