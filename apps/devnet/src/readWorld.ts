import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import type { JsonRpc, RpcCall } from './anvil/JsonRpc.ts'
import { erc20Abi, pairAbi } from './contracts/abi.ts'
import { readConcentratedPrices, readGallery, readKnownApprovals } from './readSides.ts'
import { accounts } from './scenarios/accounts.ts'
import type { World } from './world/World.ts'

/**
 * Updates a world with the state at the latest block: balances of the accounts, reserves, shares, approvals. The accounts do
 * this regularly, because tests, wallets and reorgs change the chain too.
 */
export async function readWorld(rpc: JsonRpc, world: World): Promise<void> {
  const { tokens, pools, router } = world.deployment
  const reads: { call: RpcCall; accept: (result: Hex) => void }[] = []
  const read = (to: Address, data: Hex, accept: (result: Hex) => void) => {
    reads.push({ call: ['eth_call', [{ to, data }, 'latest']], accept })
  }
  const readNumber = (to: Address, data: Hex, accept: (value: bigint) => void) => {
    // A call to an undeployed contract returns no data.
    read(to, data, (result) => {
      accept(result === '0x' ? 0n : BigInt(result))
    })
  }
  for (const { address: holder } of accounts) {
    reads.push({
      call: ['eth_getBalance', [holder, 'latest']],
      accept: (result) => world.native.set(holder, BigInt(result)),
    })
    for (const token of [...tokens, ...pools].map(({ address }) => address)) {
      readNumber(token, callData.balanceOf(holder), (balance) => {
        world.ledger.set(token, holder, balance)
      })
      readNumber(token, callData.allowance(holder, router), (allowance) => {
        const key = `${holder}/${token}`
        if (allowance > 0n) {
          world.approvals.add(key)
        } else {
          world.approvals.delete(key)
        }
      })
    }
  }
  const pairs = new Map<Address, { total: bigint; held: () => bigint }>()
  for (const pool of pools) {
    read(pool.address, callData.getReserves, (result) => {
      const [reserve0, reserve1] =
        result === '0x'
          ? [0n, 0n]
          : decodeFunctionResult({ abi: pairAbi, functionName: 'getReserves', data: result })
      const baseFirst = pool.base.address < pool.quote.address
      world.reserves.set(pool.address, {
        base: baseFirst ? reserve0 : reserve1,
        quote: baseFirst ? reserve1 : reserve0,
      })
    })
    for (const { address: token } of [pool.base, pool.quote]) {
      readNumber(token, callData.balanceOf(pool.address), (balance) => {
        world.ledger.set(token, pool.address, balance)
      })
    }
    readNumber(pool.address, callData.totalSupply, (total) => {
      const held = () =>
        accounts.reduce(
          (sum, account) => sum + world.ledger.balanceOf(pool.address, account.address),
          0n,
        )
      pairs.set(pool.address, { total, held })
    })
  }
  readConcentratedPrices(world, read)
  readKnownApprovals(world, read)
  await readGallery(rpc, world)
  const results = await rpc.batch(reads.map(({ call }) => call))
  for (const [index, { accept }] of reads.entries()) {
    accept(results[index] as Hex)
  }
  // The shares of other holders count for the total supply and are assigned to one address.
  for (const [pair, { total, held }] of pairs) {
    world.ledger.set(pair, zeroAddress, total - held())
  }
}

const callData = {
  balanceOf: (holder: Address) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
  allowance: (owner: Address, spender: Address) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }),
  totalSupply: encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' }),
  getReserves: encodeFunctionData({ abi: pairAbi, functionName: 'getReserves' }),
}
