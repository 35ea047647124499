const wallet = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

/** A service in the process with one wallet and its tokens, which counts the charged units. */
export function createPricedService(chainIds: readonly number[], tokens: number) {
  const held = Array.from({ length: tokens }, (_, index) => ({
    chainId: chainIds[index % chainIds.length] ?? 0,
    address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
  }))
  const service = {
    units: 0,
    requests: 0,
    wallet,
    /** Tokens of the wallet. */
    held,
    fetch: ((input) => {
      const { pathname, searchParams } = new URL(String(input))
      const requestedIds = (searchParams.get('chain_ids') ?? '').split(',').map(Number)
      const [, kind, address = '', , token] =
        /evm\/(token-info|balances)\/(\w+)(\/token\/(\w+))?/.exec(pathname) ?? []
      const isInfo = kind === 'token-info'
      const only = isInfo ? address : token
      const units = isInfo ? 2 : only === undefined ? requestedIds.length : 1
      service.requests++
      service.units += units
      // The price changes with each response.
      const rows = held
        .filter(
          (each) => requestedIds.includes(each.chainId) && (only ?? each.address) === each.address,
        )
        .map((each) => ({
          chain_id: each.chainId,
          address: each.address,
          amount: '1000000',
          price_usd: service.requests,
          pool_size: 1_000_000,
        }))
      const body = isInfo
        ? { contract_address: address, tokens: rows }
        : {
            wallet_address: address,
            balances: rows,
            response_time: new Date(Date.now()).toISOString(),
          }
      const headers = { 'x-compute-units-cost': String(units) }
      return Promise.resolve(new Response(JSON.stringify(body), { headers }))
    }) as typeof globalThis.fetch,
  }
  return service
}
