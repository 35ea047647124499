import { createRequire } from 'node:module'
import type { Hex } from 'viem'
import { bytecodeOf } from './bytecodeOf.ts'

// Bytecode from the npm packages of its authors.
const require = createRequire(import.meta.url)

/** The pool manager of Uniswap V4. Constructor argument: the account that may set the protocol fee. */
export const uniswapV4ManagerBytecode = bytecodeOf(
  require('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json'),
)

/** The routers with which Uniswap tests V4. Constructor argument: the pool manager. */
export const uniswapV4SwapRouterBytecode = bytecodeOf(
  require('@uniswap/v4-core/out/PoolSwapTest.sol/PoolSwapTest.json'),
)
export const uniswapV4LiquidityRouterBytecode = bytecodeOf(
  require('@uniswap/v4-core/out/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json'),
)

/** Constructor argument: the contract that deploys pools. */
export const pancakeswapV3FactoryBytecode = bytecodeOf(
  require('@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json'),
)

/** The contract that the deployer of PancakeSwap V3 deploys. */
export const pancakeswapV3PoolBytecode = bytecodeOf(
  require('@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json'),
)

/** The contract that the deployer of Algebra deploys. */
export const algebraPoolBytecode = bytecodeOf(
  require('@cryptoalgebra/integral-core/artifacts/contracts/AlgebraPool.sol/AlgebraPool.json'),
)

/** Constructor argument: the contract that deploys pools. */
export const algebraFactoryBytecode = bytecodeOf(
  require('@cryptoalgebra/integral-core/artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json'),
)

/** Constructor argument: the factory. */
export const algebraPoolDeployerBytecode = bytecodeOf(
  require('@cryptoalgebra/integral-core/artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json'),
)

/** The vault of Balancer V2. Constructor arguments: the authorizer, wrapped native, and two durations of pausing. */
export const balancerVaultBytecode = creationCodeOf(
  require('@balancer-labs/v2-deployments/dist/tasks/20210418-vault/bytecode/Vault.json'),
)

/** Constructor argument: the vault. */
export const balancerWeightedFactoryBytecode = creationCodeOf(
  require('@balancer-labs/v2-deployments/dist/tasks/20210418-weighted-pool/bytecode/WeightedPoolFactory.json'),
)

/** Constructor argument: the vault. */
export const balancerStableFactoryBytecode = creationCodeOf(
  require('@balancer-labs/v2-deployments/dist/tasks/20220609-stable-pool-v2/bytecode/StablePoolFactory.json'),
)

/** The first factory of stable pools. Constructor argument: the vault. */
export const balancerFirstStableFactoryBytecode = creationCodeOf(
  require('@balancer-labs/v2-deployments/dist/tasks/deprecated/20210624-stable-pool/bytecode/StablePoolFactory.json'),
)

/** Constructor arguments: the vault, the provider of fees, and two versions. */
export const balancerComposableFactoryBytecode = bytecodeOf(
  require('@balancer-labs/v2-deployments/dist/tasks/20230206-composable-stable-pool-v3/artifact/ComposableStablePoolFactory.json'),
)

/** Constructor arguments: the vault, and the highest fees of yields and of managed assets. */
export const balancerFeeProviderBytecode = creationCodeOf(
  require('@balancer-labs/v2-deployments/dist/tasks/20220725-protocol-fee-percentages-provider/bytecode/ProtocolFeePercentagesProvider.json'),
)

function creationCodeOf(file: unknown): Hex {
  return (file as { creationCode: Hex }).creationCode
}

export {
  uniswapV2FactoryBytecode,
  uniswapV2RouterBytecode,
  uniswapV3FactoryBytecode,
  uniswapV3PoolBytecode,
} from './publishedArtifacts.ts'
export * from './venueAbis.ts'
