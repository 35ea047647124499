// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

interface IConcentratedPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address recipient, int24 lower, int24 upper, uint128 liquidity, bytes calldata data)
        external;
    function mint(
        address leftoversRecipient,
        address recipient,
        int24 lower,
        int24 upper,
        uint128 liquidity,
        bytes calldata data
    ) external;
    function burn(int24 lower, int24 upper, uint128 liquidity) external;
    function burn(int24 lower, int24 upper, uint128 liquidity, bytes calldata data) external;
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

interface IReservesPool {
    function token0() external view returns (address);
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// @notice Trades in pools of Uniswap V3, PancakeSwap V3, Slipstream, Algebra and Solidly, and pays with its own tokens.
contract VenueTrader {
    function mint(address pool, bool isAlgebra, int24 lower, int24 upper, uint128 liquidity) external {
        if (isAlgebra) {
            IConcentratedPool(pool).mint(address(this), address(this), lower, upper, liquidity, "");
        } else {
            IConcentratedPool(pool).mint(address(this), lower, upper, liquidity, "");
        }
    }

    function burn(address pool, bool isAlgebra, int24 lower, int24 upper, uint128 liquidity) external {
        if (isAlgebra) {
            IConcentratedPool(pool).burn(lower, upper, liquidity, "");
        } else {
            IConcentratedPool(pool).burn(lower, upper, liquidity);
        }
    }

    /// @param amount What to pay, or minus what to receive.
    function swap(address pool, bool zeroForOne, int256 amount)
        external
        returns (int256 amount0, int256 amount1)
    {
        uint160 limit = zeroForOne
            ? 4295128740
            : 1461446703485210103287273052203988822378723970341;
        return IConcentratedPool(pool).swap(address(this), zeroForOne, amount, limit, "");
    }

    function swapReserves(IReservesPool pool, address tokenIn, uint256 amountIn) external {
        // Less by what rounding may cost.
        uint256 out = pool.getAmountOut(amountIn, tokenIn) - 1;
        IERC20(tokenIn).transfer(address(pool), amountIn);
        bool sells0 = tokenIn == pool.token0();
        pool.swap(sells0 ? 0 : out, sells0 ? out : 0, address(this), "");
    }

    /// @dev The callbacks of mints and swaps, which have different names: two amounts to pay and data.
    fallback() external {
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:68], (int256, int256));
        IConcentratedPool pool = IConcentratedPool(msg.sender);
        if (amount0 > 0) IERC20(pool.token0()).transfer(msg.sender, uint256(amount0));
        if (amount1 > 0) IERC20(pool.token1()).transfer(msg.sender, uint256(amount1));
    }
}
