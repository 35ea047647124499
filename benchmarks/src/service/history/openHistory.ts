import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { printProgress } from '../../printFigure.ts'
import { compileContract } from '../compileContract.ts'
import { type BenchNode, startNode } from './startNode.ts'

const cache = new URL('../../../node_modules/.cache/headwater-bench/', import.meta.url)
const sender = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const tokens = 12
const holders = 4_000
const transfersInBlock = 240
const abi = parseAbi(['function burst(uint256 seed, uint256 count, uint256 holders)'])

/** A node with a history of transfers. */
export interface History {
  readonly node: BenchNode
  readonly transfers: number
  readonly lastBlock: number
}

/** Starts a node with a history of transfers, which is created once and then cached. */
export async function openHistory(transfers: number): Promise<History> {
  const bytecode = compileContract(new URL('Burst.sol', import.meta.url))
  const key = createHash('sha256')
    .update(JSON.stringify([bytecode, transfers, tokens, holders, transfersInBlock]))
    .digest('hex')
  const file = fileURLToPath(new URL(`history-${key.slice(0, 16)}.json`, cache))
  if (!existsSync(file)) {
    const node = await startNode()
    try {
      await makeHistory(node, bytecode, transfers)
      printProgress('Saving the history …')
      mkdirSync(cache, { recursive: true })
      writeFileSync(`${file}.${process.pid}`, await dumped(node))
      renameSync(`${file}.${process.pid}`, file)
    } finally {
      await node.stop()
    }
  }
  printProgress('Loading the history …')
  const node = await startNode(file)
  const lastBlock = Number(await node.call('eth_blockNumber'))
  return {
    node,
    transfers: Math.ceil(transfers / transfersInBlock) * transfersInBlock + tokens,
    lastBlock,
  }
}

async function makeHistory(node: BenchNode, bytecode: Hex, transfers: number): Promise<void> {
  const send = (to: Hex | undefined, data: Hex) =>
    node.call('eth_sendTransaction', { from: sender, to, data, gas: '0x3a000000' })
  const parts = encodeAbiParameters([{ type: 'uint256' }], [BigInt(tokens)])
  const hash = await send(undefined, `${bytecode}${parts.slice(2)}`)
  await node.call('evm_mine')
  const receipt = (await node.call('eth_getTransactionReceipt', hash)) as { contractAddress: Hex }
  const blocks = Math.ceil(transfers / transfersInBlock)
  for (let block = 0; block < blocks; block++) {
    if (block % 100 === 0) {
      printProgress(`Creating the history: block ${block} of ${blocks} …`)
    }
    // Two transactions of equal size per block.
    for (const half of [0, 1]) {
      await send(
        receipt.contractAddress,
        encodeFunctionData({
          abi,
          args: [BigInt(2 * block + half), BigInt(transfersInBlock / 2), BigInt(holders)],
        }),
      )
    }
    await node.call('evm_mine')
  }
}

/** The state in the format that anvil loads: uncompressed text. */
async function dumped(node: BenchNode): Promise<Buffer> {
  const packed = Buffer.from(String(await node.call('anvil_dumpState', false)).slice(2), 'hex')
  return packed[0] === 0x1f ? gunzipSync(packed) : packed
}
