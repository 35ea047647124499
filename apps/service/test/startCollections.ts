import {
  type Abi,
  type Address,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  padHex,
  parseAbi,
} from 'viem'
import { compileContracts } from '@headwater/devnet'
import { startAnvil } from './startAnvil.ts'

type Contract =
  | 'OddCollection'
  | 'HybridToken'
  | 'Erc404Token'
  | 'ItemToken'
  | 'LegacyPunks'
  | 'LegacyKitties'
  | 'OversizedToken'
  | 'LogEmitter'

const abi = parseAbi([
  'function configure(bool is1155, bool reverts)',
  'function configure(bool hasOwners)',
  'function setOwner(uint256 id, address owner)',
  'function setAmount(address holder, uint256 id, uint256 amount)',
  'function setBalance(address holder, uint256 amount)',
  'function log(address from, address to, uint256 id)',
  'function logSingle(address from, address to, uint256 id, uint256 amount)',
  'function mint(address to, uint256 id)',
  'function mint(address to, uint256 amount, uint256 id)',
  'function transfer(address from, address to, uint256 id)',
  'function mintItem(address to, uint256 id, uint256 amount)',
  'function mintBatch(address to, uint256 first, uint256 last)',
  'function deal(address holder, uint256 amount)',
  'function move(address from, address to, uint256 amount)',
  'function setInitialOwner(address to, uint256 index)',
  'function transferPunk(address to, uint256 index)',
  'function buyPunk(address buyer, uint256 index)',
  'function enterBidForPunk(address bidder, uint256 index)',
  'function acceptBidForPunk(uint256 index)',
  'function moveSilently(address to, uint256 index)',
  'function createKitty(address to, uint256 id)',
  'function transfer(address to, uint256 id)',
  'function punkIndexToAddress(uint256 index) view returns (address)',
  'function setSize(uint256 size)',
  'function emitLog(bytes32[] topics, bytes data)',
  'function ownerOf(uint256 id) view returns (address)',
  'function balanceOf(address holder, uint256 id) view returns (uint256)',
  'function balanceOf(address holder) view returns (uint256)',
]) as Abi

const chainId = 7_001
const mnemonicAccount = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const zero = padHex('0x', { size: 20 })
const pageSize = 40

/** The wallets that hold the NFTs. */
export const wallets = Array.from({ length: 6 }, (_, index) =>
  padHex(numberToHex(0xa110 + index), { size: 20 }),
)
/** A wallet by its position, in a circle. */
export const wallet = (index: number) => wallets[index % wallets.length] as Address

/** A call of a contract's function, as a transaction. */
export type Transaction = readonly [to: Address, functionName: string, ...args: unknown[]]

export type Collections = Awaited<ReturnType<typeof startCollections>>

/** Starts a node on which contracts can be placed at once, and with which their state is read by an independent client. */
export async function startCollections() {
  const options = ['--chain-id', String(chainId), '--no-mining', '--order', 'fifo']
  const node = await startAnvil(...options, '--gas-limit', '1000000000', '--no-request-size-limit')
  const client = createPublicClient({
    transport: http(node.url, { batch: { batchSize: pageSize } }),
  })
  let deployed = 0
  const read = async ([address, functionName, ...args]: Transaction, block?: bigint) =>
    await client
      .readContract({
        address,
        abi,
        functionName,
        args,
        ...(block !== undefined && { blockNumber: block }),
      })
      .catch(() => undefined)
  return {
    chainId,
    node,
    /** Places contracts at new addresses. */
    async deploy(name: Contract, count = 1): Promise<Address[]> {
      const creation = (await compileContracts())[name]
      const code = await node.call<Hex>('eth_call', { data: creation }, 'latest')
      const addresses = Array.from({ length: count }, () =>
        padHex(numberToHex(0xc0de00 + ++deployed), { size: 20 }),
      )
      for (const address of addresses) {
        await node.call('anvil_setCode', address, code)
      }
      return addresses
    },
    /** Deploys a contract by its creation bytecode. */
    async create(bytecode: Hex): Promise<Address> {
      const gas = numberToHex(5_000_000)
      const from = mnemonicAccount
      const hash = await node.call<Hex>('eth_sendTransaction', { from, data: bytecode, gas })
      await node.call('evm_mine')
      const { contractAddress } = await node.call<{ contractAddress: Address }>(
        'eth_getTransactionReceipt',
        hash,
      )
      return contractAddress
    },
    /** Mines transactions, in their order, in one block. */
    async mine(transactions: readonly Transaction[]): Promise<void> {
      for (const [to, functionName, ...args] of transactions) {
        const data = encodeFunctionData({ abi, functionName, args })
        const gas = numberToHex(5_000_000)
        await node.call('eth_sendTransaction', { from: mnemonicAccount, to, data, gas })
      }
      await node.call('evm_mine')
    },
    /** The result of a function at the latest block; undefined where it reverts. */
    read: async (call: Transaction) => await read(call),
    headHash: async () =>
      (await node.call<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)).hash,
    /** The owner of an ERC721 token at a block; the zero address where `ownerOf` reverts. */
    ownerOf: async (block: bigint, contract: Address, id: bigint) =>
      (((await read([contract, 'ownerOf', id], block)) ?? zero) as string).toLowerCase(),
    /** A holder's amount of a token, or of an id of ERC1155, at a block; 0 where `balanceOf` reverts. */
    balanceOf: async (block: bigint, contract: Address, holder: Address, ...id: bigint[]) =>
      ((await read([contract, 'balanceOf', holder, ...id], block)) ?? 0n) as bigint,
  }
}
