// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OddToken} from "../OddToken.sol";

/// @notice Mints without an event.
contract SilentToken is OddToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address holder)
        OddToken(name_, symbol_, decimals_)
    {
        mintSilently(holder, supply);
    }

    function mintSilently(address to, uint256 amount) public {
        totalSupply += amount;
        _balances[to] += amount;
    }
}
