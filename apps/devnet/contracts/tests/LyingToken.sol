// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OddToken} from "../OddToken.sol";

/// @notice Emits transfers that did not happen.
contract LyingToken is OddToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address holder)
        OddToken(name_, symbol_, decimals_)
    {
        totalSupply = supply;
        _balances[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function lie(address from, address to, uint256 amount) external {
        emit Transfer(from, to, amount);
    }
}
