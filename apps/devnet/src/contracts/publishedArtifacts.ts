import { createRequire } from 'node:module'
import type { Hex } from 'viem'

// Bytecode as its authors published it to npm: nothing of it is compiled here.
const require = createRequire(import.meta.url)

/** Wrapped Ether as it runs on Ethereum since 2017. */
export const weth9Bytecode = bytecodeOf(require('canonical-weth/build/contracts/WETH9.json'))

/** Takes one constructor argument: who may set the protocol fee. */
export const uniswapV2FactoryBytecode = bytecodeOf(
  require('@uniswap/v2-core/build/UniswapV2Factory.json'),
)

/** What the factory deploys; the hash of it is part of every pair's address. */
export const uniswapV2PairBytecode = bytecodeOf(
  require('@uniswap/v2-core/build/UniswapV2Pair.json'),
)

/** Takes two constructor arguments: the factory and wrapped native. */
export const uniswapV2RouterBytecode = bytecodeOf(
  require('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
)

function bytecodeOf(artifact: unknown): Hex {
  const { bytecode } = artifact as { bytecode: string }
  return (bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`) as Hex
}
