// An example of each type, by its title. They go into the comments of the generated types; one that its schema refuses
// stops the generator.
const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

const HistoricalPrice = { offset_hours: 24, price_usd: 2400.5 }

const PricingPool = {
  type: 'uniswap-v3',
  address: '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640',
  tokens: ['0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', usdc],
}

const TokenMetadata = { url: 'https://ethereum.org' }

const Token = {
  chain_id: 1,
  chain: 'ethereum',
  symbol: 'ETH',
  decimals: 18,
  price_usd: 2500,
  historical_prices: [HistoricalPrice],
}

const Holder = { wallet_address: address, balance: '1500000', has_initiated_transfer: true }

const Balance = {
  chain_id: 1,
  address: 'native',
  amount: '1500000000000000000',
  symbol: 'ETH',
  decimals: 18,
  price_usd: 2500,
  value_usd: 3750,
}

const TokenError = { chain_id: 1, address: usdc, description: 'The node did not answer.' }

const BalancesErrors = { error_message: 'Not all could be read.', token_errors: [TokenError] }

const Warning = {
  code: 'UNSUPPORTED_CHAIN_IDS',
  message: 'The chain 5 is not indexed here.',
  chain_ids: [5],
}

const CollectibleAttribute = { key: 'Background', value: 'Blue' }

const CollectibleMetadata = { uri: 'ipfs://bafy/1', attributes: [CollectibleAttribute] }

const Collectible = {
  chain_id: 1,
  contract_address: '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d',
  token_id: '1',
  token_standard: 'ERC721',
  balance: '1',
}

export const examples: Readonly<Record<string, object>> = {
  TokenInfoParameters: { address: 'native', chainIds: [1], historicalPrices: [24] },
  TokenInfoResponse: { contract_address: 'native', tokens: [Token] },
  Token,
  HistoricalPrice,
  TokenHoldersParameters: { chainId: 1, address: usdc, limit: 10 },
  TokenHoldersResponse: {
    token_address: usdc,
    chain_id: 1,
    holders: [Holder],
    next_offset: null,
  },
  Holder,
  BalancesParameters: { address, chainIds: [1, 8453], excludeSpamTokens: true },
  BalancesResponse: { wallet_address: address, balances: [Balance] },
  Balance,
  TokenMetadata,
  PricingPool,
  BalancesErrors,
  TokenError,
  Warning,
  TokenBalanceParameters: { address, tokenAddress: 'native', chainIds: [1] },
  CollectiblesParameters: { address, chainIds: ['default'] },
  CollectiblesResponse: { address, entries: [Collectible] },
  Collectible,
  CollectibleMetadata,
  CollectibleAttribute,
}
