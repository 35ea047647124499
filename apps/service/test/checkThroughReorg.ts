import type { DevnetChain } from '@headwater/devnet'

/** Runs a check at the head of a chain, after more transactions, and after a reorg with others. */
export async function checkThroughReorg(
  chain: DevnetChain,
  check: () => Promise<void>,
): Promise<void> {
  const mineTraffic = async () => {
    for (let block = 0; block < 5; block++) {
      await chain.mineTraffic()
    }
  }
  await check()
  await mineTraffic()
  await check()
  await chain.rollBack(3)
  await chain.mine(1, 2)
  await mineTraffic()
  await check()
}
