/** Parameters for the native token of the devnet. */
export const parameters = { address: 'native', chainIds: [31337] as [number] }

/** The response, with a price. */
export const tokenInfo = (price: number) => ({
  contract_address: 'native',
  tokens: [{ chain_id: 31337, chain: 'devnet', price_usd: price }],
})
