// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/**
 * @notice A pool with the interface, events and arithmetic of Solidly's in Velodrome V2 and Aerodrome, whose authors publish
 * no bytecode: volatile with x y = k, or stable with x³y + xy³ = k. Without shares, oracle and pausing.
 */
contract SolidlyPool {
    event Sync(uint256 reserve0, uint256 reserve1);
    event Swap(
        address indexed sender,
        address indexed to,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out
    );

    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    bool public immutable stable;
    uint256 internal immutable _unit0;
    uint256 internal immutable _unit1;
    uint256 public reserve0;
    uint256 public reserve1;

    constructor(address token0_, address token1_, bool stable_) {
        factory = msg.sender;
        (token0, token1, stable) = (token0_, token1_, stable_);
        _unit0 = 10 ** IERC20Metadata(token0_).decimals();
        _unit1 = 10 ** IERC20Metadata(token1_).decimals();
    }

    function getReserves() external view returns (uint256, uint256, uint256) {
        return (reserve0, reserve1, block.timestamp);
    }

    /// @notice Adds what was transferred to the pool to its reserves.
    function mint(address) external returns (uint256) {
        _update();
        return 0;
    }

    /// @notice Sends reserves to an account.
    function burn(address to, uint256 amount0, uint256 amount1) external {
        require(msg.sender == SolidlyFactory(factory).owner());
        IERC20(token0).transfer(to, amount0);
        IERC20(token1).transfer(to, amount1);
        _update();
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external {
        require(amount0Out < reserve0 && amount1Out < reserve1, "liquidity");
        if (amount0Out > 0) IERC20(token0).transfer(to, amount0Out);
        if (amount1Out > 0) IERC20(token1).transfer(to, amount1Out);
        uint256 amount0In = IERC20(token0).balanceOf(address(this)) + amount0Out - reserve0;
        uint256 amount1In = IERC20(token1).balanceOf(address(this)) + amount1Out - reserve1;
        uint256 fee = SolidlyFactory(factory).getFee(address(this), stable);
        address fees = SolidlyFactory(factory).owner();
        // Fees leave the pool.
        if (amount0In > 0) IERC20(token0).transfer(fees, (amount0In * fee) / 10000);
        if (amount1In > 0) IERC20(token1).transfer(fees, (amount1In * fee) / 10000);
        uint256 before = _k(reserve0, reserve1);
        _update();
        require(_k(reserve0, reserve1) >= before, "K");
        emit Swap(msg.sender, to, amount0In, amount1In, amount0Out, amount1Out);
    }

    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256) {
        amountIn -= (amountIn * SolidlyFactory(factory).getFee(address(this), stable)) / 10000;
        bool is0 = tokenIn == token0;
        (uint256 reserveIn, uint256 reserveOut) = is0 ? (reserve0, reserve1) : (reserve1, reserve0);
        if (!stable) {
            return (amountIn * reserveOut) / (reserveIn + amountIn);
        }
        (uint256 unitIn, uint256 unitOut) = is0 ? (_unit0, _unit1) : (_unit1, _unit0);
        uint256 k = _k(reserve0, reserve1);
        uint256 x = (amountIn * 1e18) / unitIn + (reserveIn * 1e18) / unitIn;
        uint256 y = (reserveOut * 1e18) / unitOut;
        return ((y - _getY(x, k, y)) * unitOut) / 1e18;
    }

    function _update() private {
        reserve0 = IERC20(token0).balanceOf(address(this));
        reserve1 = IERC20(token1).balanceOf(address(this));
        emit Sync(reserve0, reserve1);
    }

    function _k(uint256 x, uint256 y) private view returns (uint256) {
        return stable ? _f((x * 1e18) / _unit0, (y * 1e18) / _unit1) : x * y;
    }

    /// @dev x³y + xy³
    function _f(uint256 x, uint256 y) private pure returns (uint256) {
        return (((x * y) / 1e18) * ((x * x) / 1e18 + (y * y) / 1e18)) / 1e18;
    }

    /// @dev Its derivative by y: 3xy² + x³
    function _derivative(uint256 x, uint256 y) private pure returns (uint256) {
        return (3 * x * ((y * y) / 1e18)) / 1e18 + (((x * x) / 1e18) * x) / 1e18;
    }

    /// @dev The lowest y with f(x, y) >= k, by Newton's method.
    function _getY(uint256 x, uint256 k, uint256 y) private pure returns (uint256) {
        for (uint256 i = 0; i < 255; i++) {
            uint256 value = _f(x, y);
            if (value < k) {
                uint256 step = ((k - value) * 1e18) / _derivative(x, y);
                if (step == 0) {
                    if (_f(x, y + 1) > k) return y + 1;
                    step = 1;
                }
                y += step;
            } else {
                uint256 step = ((value - k) * 1e18) / _derivative(x, y);
                if (step == 0) {
                    if (value == k || _f(x, y - 1) < k) return y;
                    step = 1;
                }
                y -= step;
            }
        }
        revert("y");
    }
}

/// @notice The interface and events of the factory of Velodrome V2 and Aerodrome.
contract SolidlyFactory {
    event PoolCreated(
        address indexed token0, address indexed token1, bool indexed stable, address pool, uint256
    );

    /// @dev In basis points.
    uint256 public constant volatileFee = 30;
    uint256 public constant stableFee = 5;
    address public immutable owner = msg.sender;
    address[] public allPools;
    mapping(address => mapping(address => mapping(bool => address))) internal _getPool;

    function getPool(address tokenA, address tokenB, bool stable) external view returns (address) {
        return _getPool[tokenA][tokenB][stable];
    }

    /// @dev With the signature of Uniswap V3: a fee of 1 for stable pools, and of 0 for volatile ones.
    function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address) {
        return fee > 1 ? address(0) : _getPool[tokenA][tokenB][fee == 1];
    }

    function allPoolsLength() external view returns (uint256) {
        return allPools.length;
    }

    function getFee(address, bool stable) external pure returns (uint256) {
        return stable ? stableFee : volatileFee;
    }

    function createPool(address tokenA, address tokenB, bool stable) external returns (address pool) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(token0 != token1 && token0 != address(0) && _getPool[token0][token1][stable] == address(0));
        pool = address(new SolidlyPool(token0, token1, stable));
        allPools.push(pool);
        _getPool[token0][token1][stable] = pool;
        _getPool[token1][token0][stable] = pool;
        emit PoolCreated(token0, token1, stable, pool, allPools.length);
    }
}
