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

/// @notice Trades in pools of Uniswap V3, PancakeSwap V3, Slipstream and Algebra, and pays with its own tokens.
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

    /// @dev The callbacks of mints and swaps, which have different names: two amounts to pay and data.
    fallback() external {
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:68], (int256, int256));
        IConcentratedPool pool = IConcentratedPool(msg.sender);
        if (amount0 > 0) IERC20(pool.token0()).transfer(msg.sender, uint256(amount0));
        if (amount1 > 0) IERC20(pool.token1()).transfer(msg.sender, uint256(amount1));
    }
}
