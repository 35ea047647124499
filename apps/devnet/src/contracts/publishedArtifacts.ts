import { createRequire } from 'node:module'
import type { Address, Hex } from 'viem'
import { bytecodeOf } from './bytecodeOf.ts'

// Bytecode from the npm packages of its authors.
const require = createRequire(import.meta.url)

/** WETH9 as deployed on Ethereum in 2017. */
export const weth9Bytecode = bytecodeOf(require('canonical-weth/build/contracts/WETH9.json'))

/** Constructor argument: the account that may set the protocol fee. */
export const uniswapV2FactoryBytecode = bytecodeOf(
  require('@uniswap/v2-core/build/UniswapV2Factory.json'),
)

/** The contract that the factory deploys; pair addresses depend on its hash. */
export const uniswapV2PairBytecode = bytecodeOf(
  require('@uniswap/v2-core/build/UniswapV2Pair.json'),
)

/** Constructor arguments: the factory and wrapped native. */
export const uniswapV2RouterBytecode = bytecodeOf(
  require('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
)

/** The factory of Uniswap V3 as deployed on Ethereum in 2021. */
export const uniswapV3FactoryBytecode = bytecodeOf(
  require('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
)

/** The contract that the factory deploys; pool addresses depend on its hash. */
export const uniswapV3PoolBytecode = bytecodeOf(
  require('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json'),
)

/** Constructor arguments: the factory and wrapped native. */
export const uniswapV3RouterBytecode = bytecodeOf(
  require('@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
)

/** Constructor arguments: the factory, wrapped native and the position descriptor. */
export const uniswapV3PositionsBytecode = bytecodeOf(
  require('@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json'),
)

/** A library that renders positions of Uniswap V3 as NFTs. */
export const uniswapV3DrawingBytecode = bytecodeOf(
  require('@uniswap/v3-periphery/artifacts/contracts/libraries/NFTDescriptor.sol/NFTDescriptor.json'),
)

/**
 * Describes positions of Uniswap V3 as NFTs. Constructor arguments: wrapped native and its symbol as 32 bytes.
 *
 * @param drawing - the address of the library that renders them
 */
export function uniswapV3DescriptorBytecode(drawing: Address): Hex {
  const artifact =
    require('@uniswap/v3-periphery/artifacts/contracts/NonfungibleTokenPositionDescriptor.sol/NonfungibleTokenPositionDescriptor.json') as {
      bytecode: string
      linkReferences: Record<string, Record<string, { start: number; length: number }[]>>
    }
  let bytecode = artifact.bytecode
  for (const { start, length } of Object.values(artifact.linkReferences)
    .flatMap((libraries) => Object.values(libraries))
    .flat()) {
    bytecode =
      bytecode.slice(0, 2 + 2 * start) + drawing.slice(2) + bytecode.slice(2 + 2 * (start + length))
  }
  return bytecode as Hex
}

/** Seaport 1.6. Constructor argument: the conduit controller. */
export const seaportBytecode = bytecodeOf(
  require('@opensea/seaport-js/src/artifacts/seaport/contracts/Seaport.sol/Seaport.json'),
)

/** The conduit controller of Seaport; the devnet has no conduits. */
export const conduitControllerBytecode = bytecodeOf(
  require('@opensea/seaport-js/src/artifacts/seaport/contracts/conduit/ConduitController.sol/LocalConduitController.json'),
)
