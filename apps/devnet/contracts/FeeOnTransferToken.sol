// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OddToken} from "./OddToken.sol";

/// @notice Keeps two percent of every transfer, while its events contain the gross amount.
contract FeeOnTransferToken is OddToken {
    address private immutable _maker;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address holder)
        OddToken(name_, symbol_, decimals_)
    {
        _maker = holder;
        totalSupply = supply;
        _balances[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = amount / 50;
        _balances[from] -= amount;
        _balances[to] += amount - fee;
        _balances[_maker] += fee;
        emit Transfer(from, to, amount);
    }
}
