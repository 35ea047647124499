import { createConfig } from 'ponder'
import { erc20Abi } from 'viem'

export default createConfig({
  chains: {
    bench: {
      id: Number(process.env.BENCH_CHAIN_ID),
      rpc: process.env.BENCH_RPC_URL,
      disableCache: true,
    },
  },
  contracts: {
    Token: {
      chain: 'bench',
      abi: erc20Abi.filter((entry) => entry.type === 'event' && entry.name === 'Transfer'),
      // All contracts with Transfer events, as for the other indexers.
      startBlock: 0,
      endBlock: Number(process.env.BENCH_LAST_BLOCK),
    },
  },
})
