import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { compileContract } from '../compileContract.ts'
import { startNode } from '../history/startNode.ts'

const abi = parseAbi([
  'function create(uint256 count)',
  'function mint(uint256 from, uint256 to)',
  'function change(address holder)',
  'function change(uint256 id)',
  'function lie(address holder)',
  'function lie(uint256 id)',
  'function tokens(uint256 index) view returns (address)',
  'function collection() view returns (address)',
  'function ownerOf(uint256 id) view returns (address)',
  'function holderOf(uint256 token, uint256 holder) view returns (address)',
])
const sender = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const tokensPerBlock = 1_000
/** The limit of ERC2309 per block. */
const itemsPerBlock = 20_000
/** More than the finality depth: what was created is final. */
const emptyBlocks = 70

/** How a contract deviates from its logs: by a change without one, or by one without a change. */
export type Deviation = 'change' | 'lie'

export type AuditWorld = Awaited<ReturnType<typeof startAuditWorld>>

/** Starts a node with tokens of three holders each, and a collection of NFTs. */
export async function startAuditWorld({ tokens, items }: { tokens: number; items: number }) {
  const node = await startNode()
  const mine = async (to: Address | undefined, data: Hex) => {
    const gas = numberToHex(900_000_000)
    const hash = await node.call('eth_sendTransaction', { from: sender, to, data, gas })
    await node.call('evm_mine')
    const receipt = await node.call('eth_getTransactionReceipt', hash)
    const { status, contractAddress } = receipt as { status: Hex; contractAddress: Address }
    if (status !== '0x1') {
      throw new Error('A transaction reverted')
    }
    return contractAddress
  }
  const read = async (
    to: Address,
    functionName: 'tokens' | 'collection' | 'holderOf' | 'ownerOf',
    ...args: bigint[]
  ) => {
    const data = encodeFunctionData({ abi, functionName, args } as never)
    const word = (await node.call('eth_call', { to, data }, 'latest')) as Hex
    return `0x${word.slice(-40)}` as Address
  }
  const world = await mine(undefined, compileContract(new URL('AuditWorld.sol', import.meta.url)))
  const collection = await read(world, 'collection')
  for (let count = 0; count < tokens; count += tokensPerBlock) {
    const args = [BigInt(Math.min(tokensPerBlock, tokens - count))] as const
    await mine(world, encodeFunctionData({ abi, functionName: 'create', args }))
  }
  for (let first = 0; first < items; first += itemsPerBlock) {
    const args = [BigInt(first), BigInt(Math.min(items, first + itemsPerBlock))] as const
    await mine(collection, encodeFunctionData({ abi, functionName: 'mint', args }))
  }
  await node.call('anvil_mine', numberToHex(emptyBlocks))
  return {
    node,
    sender,
    /** Mines a block in which a token deviates, and returns its address. */
    async deviateToken(functionName: Deviation, index: number): Promise<Address> {
      const token = await read(world, 'tokens', BigInt(index))
      const holder = await read(world, 'holderOf', BigInt(index), BigInt(index % 3))
      await mine(token, encodeFunctionData({ abi, functionName, args: [holder] }))
      return token
    },
    ownerOf: async (id: number) => await read(collection, 'ownerOf', BigInt(id)),
    /** Mines a block in which an NFT deviates. */
    async deviateItem(functionName: Deviation, id: number): Promise<void> {
      await mine(collection, encodeFunctionData({ abi, functionName, args: [BigInt(id)] }))
    },
    mineEmptyBlock: async () => void (await node.call('evm_mine')),
    headHash: async () => {
      const block = await node.call('eth_getBlockByNumber', 'latest', false)
      return (block as { hash: Hex }).hash
    },
  }
}
