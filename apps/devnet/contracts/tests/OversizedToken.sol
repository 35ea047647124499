// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice `balanceOf` returns an amount and many bytes after it. Its logs state another amount.
contract OversizedToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "Oversized";
    string public constant symbol = "BIG";
    uint8 public constant decimals = 18;
    uint256 private _size;

    function setSize(uint256 size) external {
        _size = size;
    }

    function mint(address to, uint256 amount) external {
        emit Transfer(address(0), to, amount);
    }

    function balanceOf(address) external view returns (uint256) {
        uint256 size = _size;
        assembly {
            mstore(0, 50)
            return(0, size)
        }
    }
}
