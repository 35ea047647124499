import { parseAbi } from 'viem'

/** The functions of ERC20 and of WETH9 that the devnet calls. */
export const erc20Abi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address holder) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function deposit() payable',
  'function withdraw(uint256 amount)',
])

/** The functions of a Uniswap V2 pair that the devnet calls, beside those of ERC20. */
export const pairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 timestamp)',
])

/** The functions of the Uniswap V2 router that the devnet calls. */
export const routerAbi = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
  'function removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
])
