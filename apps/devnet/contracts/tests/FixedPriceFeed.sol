// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice A price feed with the interface of Chainlink's, whose value anyone sets.
contract FixedPriceFeed {
    uint8 public constant decimals = 8;
    int256 private _value;
    uint256 private _updatedAt;
    uint80 private _round;

    function set(int256 value) external {
        (_value, _updatedAt) = (value, block.timestamp);
        _round++;
    }

    function latestRoundData()
        external
        view
        returns (uint80, int256, uint256, uint256, uint80)
    {
        return (_round, _value, _updatedAt, _updatedAt, _round);
    }
}
