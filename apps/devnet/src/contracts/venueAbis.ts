import { parseAbi } from 'viem'

/** The functions of Uniswap V4 that the devnet and tests call: the pool manager and the routers of its tests. */
export const uniswapV4Abi = parseAbi([
  'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct Swap { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'struct Settings { bool takeClaims; bool settleUsingBurn; }',
  'struct Liquidity { int24 tickLower; int24 tickUpper; int256 liquidityDelta; bytes32 salt; }',
  'function initialize(Key key, uint160 sqrtPriceX96)',
  'function swap(Key key, Swap params, Settings settings, bytes hookData) payable returns (int256 delta)',
  'function modifyLiquidity(Key key, Liquidity params, bytes hookData) payable',
])

/** `VenueTrader.sol`, which trades in pools that call their trader, and the first price of such pools. */
export const venueTraderAbi = parseAbi([
  'function initialize(uint160 sqrtPriceX96)',
  'function mint(address pool, bool isAlgebra, int24 lower, int24 upper, uint128 liquidity)',
  'function burn(address pool, bool isAlgebra, int24 lower, int24 upper, uint128 liquidity)',
  'function swap(address pool, bool zeroForOne, int256 amount) returns (int256 amount0, int256 amount1)',
  'function swapReserves(address pool, address tokenIn, uint256 amountIn)',
  'function fee() view returns (uint24)',
])

/** The factories of Uniswap V3 and PancakeSwap V3. */
export const concentratedFactoryAbi = parseAbi([
  'function createPool(address tokenA, address tokenB, uint24 fee)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
])

export const slipstreamAbi = parseAbi([
  'function createPool(address tokenA, address tokenB, int24 tickSpacing, uint160 sqrtPriceX96)',
  'function getPool(address tokenA, address tokenB, int24 tickSpacing) view returns (address)',
])

export const algebraAbi = parseAbi([
  'function createPool(address tokenA, address tokenB, bytes data)',
  'function poolByPair(address tokenA, address tokenB) view returns (address)',
  'function setFee(uint16 fee)',
])

export const solidlyAbi = parseAbi([
  'function createPool(address tokenA, address tokenB, bool stable)',
  'function getPool(address tokenA, address tokenB, bool stable) view returns (address)',
  'function mint(address to)',
  'function burn(address to, uint256 amount0, uint256 amount1)',
  'function getReserves() view returns (uint256, uint256, uint256)',
  'function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256)',
])

/** `CurveFactory.sol` and what both of its types of pools have. */
export const curveAbi = parseAbi([
  'function deploy_plain_pool(address[] coins, uint256 A, uint256 fee)',
  'function deploy_crypto_pool(address[] coins, uint256 A, uint256 gamma, uint256 fee, uint256[] prices)',
  'function pool_count() view returns (uint256)',
  'function pool_list(uint256 index) view returns (address)',
  'function update(address to, uint256[] amounts)',
  'function balances(uint256 index) view returns (uint256)',
  'function D() view returns (uint256)',
])

export const curveStableAbi = parseAbi([
  'function get_dy(int128 i, int128 j, uint256 dx) view returns (uint256)',
  'function exchange(int128 i, int128 j, uint256 dx, uint256 min)',
])

export const curveCryptoAbi = parseAbi([
  'function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)',
  'function exchange(uint256 i, uint256 j, uint256 dx, uint256 min)',
])

/** The vault of Balancer V2 and the factory of its weighted pools. */
export const balancerAbi = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256[] weights, uint256 fee, address owner)',
  'function isPoolFromFactory(address pool) view returns (bool)',
  'struct Join { address[] assets; uint256[] maxAmountsIn; bytes userData; bool fromInternalBalance; }',
  'struct Exit { address[] assets; uint256[] minAmountsOut; bytes userData; bool toInternalBalance; }',
  'struct SingleSwap { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }',
  'struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }',
  'struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  'function joinPool(bytes32 poolId, address sender, address recipient, Join request)',
  'function exitPool(bytes32 poolId, address sender, address recipient, Exit request)',
  'function swap(SingleSwap singleSwap, Funds funds, uint256 limit, uint256 deadline) returns (uint256)',
  'function queryBatchSwap(uint8 kind, Step[] steps, address[] assets, Funds funds) returns (int256[])',
  'function getPoolTokens(bytes32 poolId) view returns (address[], uint256[], uint256)',
])

/** The factory of Balancer's stable pools. */
export const balancerStableAbi = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256 amplification, uint256 fee, address owner)',
])

export const vaultAbi = parseAbi([
  'function deposit(uint256 assets, address receiver)',
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function totalAssets() view returns (uint256)',
])
