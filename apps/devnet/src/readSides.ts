import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type Log,
  parseEventLogs,
} from 'viem'
import type { JsonRpc } from './anvil/JsonRpc.ts'
import { collectionAbi, concentratedAbi, erc20Abi } from './contracts/abi.ts'
import type { World } from './world/World.ts'

/** Calls a contract and passes on the result. */
type Read = (to: Address, data: Hex, accept: (result: Hex) => void) => void

/** Reads the prices of the Uniswap V3 pools. */
export function readConcentratedPrices(world: World, read: Read): void {
  const data = encodeFunctionData({ abi: concentratedAbi, functionName: 'slot0' })
  for (const { address } of world.deployment.concentrated.pools) {
    read(address, data, (result) => {
      world.squareRootPrices.delete(address)
      if (result === '0x') {
        return
      }
      const [root] = decodeFunctionResult({
        abi: concentratedAbi,
        functionName: 'slot0',
        data: result,
      })
      if (root > 0n) {
        world.squareRootPrices.set(address, root)
      }
    })
  }
}

/** Reads the known approvals of other spenders than the router again, because a reorg may have undone them. */
export function readKnownApprovals(world: World, read: Read): void {
  for (const key of world.approvals) {
    const [owner, token, spender] = key.split('/') as [Address, Address, Address | undefined]
    if (!spender) {
      continue
    }
    const args = [owner, spender] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
    read(token, data, (result) => {
      if (result === '0x' || BigInt(result) === 0n) {
        world.approvals.delete(key)
      }
    })
  }
  const { approvals } = world.gallery
  for (const key of approvals) {
    const [owner, collection] = key.split('/') as [Address, Address]
    const args = [owner, world.deployment.marketplace] as const
    const abi = collectionAbi
    const data = encodeFunctionData({ abi, functionName: 'isApprovedForAll', args })
    read(collection, data, (result) => {
      if (result === '0x' || BigInt(result) === 0n) {
        approvals.delete(key)
      }
    })
  }
}

/** Reads the owners of all NFTs from the logs of the collections, which are few on a devnet. */
export async function readGallery(rpc: JsonRpc, { deployment, gallery }: World): Promise<void> {
  const collections = deployment.collections.map(({ address }) => address)
  if (collections.length === 0) {
    return
  }
  const logs = await rpc.call<Log[]>('eth_getLogs', {
    fromBlock: '0x0',
    toBlock: 'latest',
    address: collections,
  })
  gallery.clear()
  for (const { address, args } of parseEventLogs({ abi: collectionAbi, logs })) {
    const { from, to, ...moved } = args as unknown as Moved
    const ids = moved.ids ?? [moved.id]
    const values = moved.values ?? [moved.value ?? 1n]
    for (const [index, id] of ids.entries()) {
      const amount = values[index] ?? 0n
      gallery.add(address, id, from.toLowerCase() as Address, -amount)
      gallery.add(address, id, to.toLowerCase() as Address, amount)
    }
  }
}

interface Moved {
  readonly from: Address
  readonly to: Address
  readonly id: bigint
  readonly value?: bigint
  readonly ids?: readonly bigint[]
  readonly values?: readonly bigint[]
}
