// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice An ERC20 that has ERC1155 items as well. Its logs and state are independent of each other.
contract ItemToken {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);

    string public constant name = "Items";
    string public constant symbol = "ITEM";
    uint8 public constant decimals = 18;
    mapping(address holder => uint256) private _balances;
    mapping(address holder => mapping(uint256 id => uint256)) private _amounts;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    function balanceOf(address holder) external view returns (uint256) {
        return _balances[holder];
    }

    function balanceOf(address holder, uint256 id) external view returns (uint256) {
        return _amounts[holder][id];
    }

    function setBalance(address holder, uint256 amount) external {
        _balances[holder] = amount;
    }

    function setAmount(address holder, uint256 id, uint256 amount) external {
        _amounts[holder][id] = amount;
    }

    function mint(address to, uint256 amount) external {
        _balances[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function mintItem(address to, uint256 id, uint256 amount) external {
        _amounts[to][id] += amount;
        emit TransferSingle(msg.sender, address(0), to, id, amount);
    }
}
