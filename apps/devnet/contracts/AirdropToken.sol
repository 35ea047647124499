// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {DevnetToken} from "./DevnetToken.sol";

/// @notice Distributes itself to many addresses without known keys.
contract AirdropToken is DevnetToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address holder)
        DevnetToken(name_, symbol_, decimals_, supply, holder)
    {}

    /// @notice Transfers 1 to 500 whole tokens of the caller to each of `count` addresses, of which `first` is the first.
    function airdrop(uint256 first, uint256 count) external {
        uint256 one = 10 ** decimals();
        for (uint256 number = first; number < first + count; number++) {
            address lucky = address(uint160(uint256(keccak256(abi.encode(address(this), number)))));
            _transfer(msg.sender, lucky, one * (1 + (number % 500)));
        }
    }
}
