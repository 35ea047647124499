// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IPool {
    function initialize(uint160 sqrtPriceX96) external;
}

/// @notice Deploys pools that read their parameters from their deployer, as those of Uniswap V3 and its forks do.
contract PoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;
    /// @dev A contract that holds the creation code of pools behind one byte, which costs less than storage.
    address private immutable _code;

    constructor(bytes memory creationCode) {
        bytes memory data = abi.encodePacked(
            hex"61", uint16(creationCode.length + 1), hex"80600a3d393df300", creationCode
        );
        address code;
        assembly {
            code := create(0, add(data, 32), mload(data))
        }
        require(code != address(0), "code");
        _code = code;
    }

    /// @dev Called by the factory of PancakeSwap V3.
    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        public
        returns (address pool)
    {
        bytes memory code = _code.code;
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes32 salt = keccak256(abi.encode(factory, token0, token1, fee, tickSpacing));
        assembly {
            // Without the first byte.
            pool := create2(0, add(code, 33), sub(mload(code), 1), salt)
        }
        require(pool != address(0), "pool");
        delete parameters;
    }
}

/**
 * @notice The interface and events of Slipstream's factory, of Velodrome and Aerodrome, with pools of Uniswap V3, whose
 * arithmetic Slipstream's have. Its authors publish no bytecode.
 */
contract SlipstreamFactory is PoolDeployer {
    event PoolCreated(
        address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool
    );

    address public owner;
    address[] public allPools;
    mapping(address => mapping(address => mapping(int24 => address))) internal _getPool;

    constructor(bytes memory creationCode) PoolDeployer(creationCode) {
        owner = msg.sender;
    }

    function getPool(address tokenA, address tokenB, int24 tickSpacing) external view returns (address) {
        return _getPool[tokenA][tokenB][tickSpacing];
    }

    /// @dev With the signature of Uniswap V3, as Velodrome's.
    function getPool(address tokenA, address tokenB, uint24 tickSpacing) external view returns (address) {
        return _getPool[tokenA][tokenB][int24(tickSpacing)];
    }

    function allPoolsLength() external view returns (uint256) {
        return allPools.length;
    }

    /// @dev The fee of new pools by tick spacing, in hundredths of a basis point.
    function tickSpacingToFee(int24 tickSpacing) public pure returns (uint24) {
        return tickSpacing == 1 ? 100 : tickSpacing == 50 ? 500 : tickSpacing == 200 ? 3000 : 10000;
    }

    function createPool(address tokenA, address tokenB, int24 tickSpacing, uint160 sqrtPriceX96)
        external
        returns (address pool)
    {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(token0 != token1 && token0 != address(0) && _getPool[token0][token1][tickSpacing] == address(0));
        pool = deploy(address(this), token0, token1, tickSpacingToFee(tickSpacing), tickSpacing);
        allPools.push(pool);
        _getPool[token0][token1][tickSpacing] = pool;
        _getPool[token1][token0][tickSpacing] = pool;
        emit PoolCreated(token0, token1, tickSpacing, pool);
        IPool(pool).initialize(sqrtPriceX96);
    }
}
