// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OddToken} from "./OddToken.sol";

/// @notice Holders own shares; a rebase scales all balances without an event.
contract RebasingToken is OddToken {
    uint256 private _index = 1e18;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address holder)
        OddToken(name_, symbol_, decimals_)
    {
        totalSupply = supply;
        _balances[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function balanceOf(address holder) public view override returns (uint256) {
        return (_balances[holder] * _index) / 1e18;
    }

    /// @param permille The new value of a balance of 1,000.
    function rebase(uint256 permille) external {
        _index = (_index * permille) / 1_000;
        totalSupply = (totalSupply * permille) / 1_000;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 shares = (amount * 1e18) / _index;
        _balances[from] -= shares;
        _balances[to] += shares;
        emit Transfer(from, to, amount);
    }
}
