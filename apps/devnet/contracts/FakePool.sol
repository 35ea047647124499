// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice Imitates a Uniswap pool of a real factory that did not create it, and emits arbitrary prices.
contract FakePool {
    event Sync(uint112 reserve0, uint112 reserve1);
    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick
    );

    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    uint112 private _reserve0;
    uint112 private _reserve1;

    constructor(address factory_, address tokenA, address tokenB) {
        factory = factory_;
        (token0, token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
    }

    function pretend(uint112 reserve0, uint112 reserve1, uint160 sqrtPriceX96) external {
        _reserve0 = reserve0;
        _reserve1 = reserve1;
        emit Sync(reserve0, reserve1);
        emit Swap(msg.sender, msg.sender, 1, -1, sqrtPriceX96, type(uint128).max, 0);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (_reserve0, _reserve1, uint32(block.timestamp));
    }
}
