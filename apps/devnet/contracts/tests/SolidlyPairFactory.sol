// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SolidlyPool} from "../SolidlyFactory.sol";

/// @notice The interface and events of the factory of Solidly 1 in Velodrome V1, THENA and Ramses.
contract SolidlyPairFactory {
    event PairCreated(address indexed token0, address indexed token1, bool stable, address pair, uint256);

    /// @dev In basis points.
    uint256 public constant volatileFee = 20;
    uint256 public constant stableFee = 4;
    bool public isPaused;
    address[] public allPairs;
    mapping(address => mapping(address => mapping(bool => address))) public getPair;
    mapping(address => bool) public isPair;

    function allPairsLength() external view returns (uint256) {
        return allPairs.length;
    }

    function getFee(bool stable) external pure returns (uint256) {
        return stable ? stableFee : volatileFee;
    }

    function createPair(address tokenA, address tokenB, bool stable) external returns (address pair) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(token0 != token1 && token0 != address(0) && getPair[token0][token1][stable] == address(0));
        pair = address(new SolidlyPool(token0, token1, stable));
        allPairs.push(pair);
        isPair[pair] = true;
        getPair[token0][token1][stable] = pair;
        getPair[token1][token0][stable] = pair;
        emit PairCreated(token0, token1, stable, pair, allPairs.length);
    }
}
