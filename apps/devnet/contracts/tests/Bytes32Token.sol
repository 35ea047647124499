// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice An early ERC20 with a bytes32 name. Like WETH9, it allows transfers to the zero address.
contract Bytes32Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    bytes32 public name;
    bytes32 public symbol;
    uint8 public immutable decimals;
    uint256 public immutable totalSupply;
    mapping(address holder => uint256) public balanceOf;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address holder) {
        name = bytes32(bytes(name_));
        symbol = bytes32(bytes(symbol_));
        decimals = decimals_;
        totalSupply = supply;
        balanceOf[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}
