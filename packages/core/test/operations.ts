import type { OperationName } from '@headwater/contract'
import { type Client } from '../src/client/Client.ts'
import {
  balancesQueryOptions,
  collectiblesQueryOptions,
  getBalances,
  getCollectibles,
  getTokenBalance,
  getTokenHolders,
  getTokenInfo,
  type OperationQueryOptions,
  type RequestOptions,
  tokenBalanceQueryOptions,
  tokenHoldersQueryOptions,
  tokenInfoQueryOptions,
} from '../src/index.ts'
import { address, balance, otherAddress } from './balances.ts'

/** An operation with examples, and its functions without their types. */
export interface OperationExample {
  readonly name: string
  readonly parameters: object
  /** Path and query of a request with these parameters. */
  readonly request: string
  /** The parameter that query options add to request the largest page. */
  readonly largestPage?: string
  /** Compute units of the request; two chains where an operation accepts several. */
  readonly cost: number
  /** The field of the response with its items. */
  readonly items: string
  /** A valid item. */
  readonly item: object
  /** An invalid optional field. */
  readonly malformedField: object
  /** An invalid required field. */
  readonly malformedItem: object
  readonly createResponse: (...items: object[]) => object
  readonly get: (client: Client, parameters: object, options?: RequestOptions) => Promise<object>
  readonly queryOptions: (client: Client, parameters: object) => OperationQueryOptions<object>
}

const tokenAddress = otherAddress

/** An example of each operation. */
const examples: Record<OperationName, Omit<OperationExample, 'name'>> = {
  tokenInfo: {
    parameters: { address: 'native', chainIds: [31337], historicalPrices: [24, 1] },
    request: '/v1/evm/token-info/native?chain_ids=31337&historical_prices=1,24',
    cost: 2,
    items: 'tokens',
    item: { chain_id: 31337, chain: 'devnet', symbol: 'ETH', decimals: 18, price_usd: 2000.5 },
    malformedField: { decimals: '18' },
    malformedItem: { chain_id: 'devnet' },
    createResponse: (...tokens) => ({ contract_address: 'native', tokens }),
    get: getTokenInfo as OperationExample['get'],
    queryOptions: tokenInfoQueryOptions as unknown as OperationExample['queryOptions'],
  },
  tokenHolders: {
    parameters: { chainId: 31337, address: tokenAddress, limit: 10 },
    request: `/v1/evm/token-holders/31337/${tokenAddress}?limit=10`,
    cost: 2,
    items: 'holders',
    item: { wallet_address: address, balance: '10', has_initiated_transfer: true },
    malformedField: { has_initiated_transfer: 'yes' },
    malformedItem: { balance: 10 },
    createResponse: (...holders) => ({ token_address: tokenAddress, chain_id: 31337, holders }),
    get: getTokenHolders as OperationExample['get'],
    queryOptions: tokenHoldersQueryOptions as unknown as OperationExample['queryOptions'],
  },
  balances: {
    parameters: { address, chainIds: [31338, 31337], filters: 'erc20' },
    request: `/v1/evm/balances/${address}?chain_ids=31337,31338&filters=erc20`,
    largestPage: '&limit=1000',
    cost: 2,
    items: 'balances',
    item: balance({ symbol: 'ETH', price_usd: 2000.5 }),
    malformedField: { price_usd: '1' },
    malformedItem: { amount: '1.5' },
    createResponse: (...balances) => ({ wallet_address: address, balances }),
    get: getBalances as OperationExample['get'],
    queryOptions: balancesQueryOptions as unknown as OperationExample['queryOptions'],
  },
  tokenBalance: {
    parameters: { address, tokenAddress, chainIds: [31337], metadata: ['url', 'logo'] },
    request: `/v1/evm/balances/${address}/token/${tokenAddress}?chain_ids=31337&metadata=logo,url`,
    cost: 1,
    items: 'balances',
    item: balance({ address: tokenAddress, amount: '0' }),
    malformedField: { symbol: 5 },
    malformedItem: { amount: -1 },
    createResponse: (...balances) => ({ wallet_address: address, balances }),
    get: getTokenBalance as OperationExample['get'],
    queryOptions: tokenBalanceQueryOptions as unknown as OperationExample['queryOptions'],
  },
  collectibles: {
    parameters: { address, chainIds: [31337, 31338], offset: 'a=b' },
    request: `/v1/evm/collectibles/${address}?chain_ids=31337,31338&offset=a%3Db`,
    largestPage: '&limit=2500',
    cost: 2,
    items: 'entries',
    item: {
      contract_address: tokenAddress,
      token_standard: 'ERC721',
      token_id: '7',
      chain_id: 31337,
      balance: '1',
      last_acquired: '2024-05-01T12:00:00Z',
    },
    malformedField: { metadata: { attributes: 'none' } },
    malformedItem: { token_id: null },
    createResponse: (...entries) => ({
      address,
      entries,
      request_time: '2024-05-01T12:00:00.000Z',
      response_time: '2024-05-01T12:00:00.001Z',
    }),
    get: getCollectibles as OperationExample['get'],
    queryOptions: collectiblesQueryOptions as unknown as OperationExample['queryOptions'],
  },
}

/** All operations, with their examples. */
export const operationExamples: readonly OperationExample[] = Object.entries(examples).map(
  ([name, example]) => ({ name, ...example }),
)
