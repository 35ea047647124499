// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// An ERC20 token whose maker may move any amount, so that one transaction makes many transfers between holders.
contract BenchToken {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    address immutable maker;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory symbol_, uint256 supply) {
        name = symbol = symbol_;
        maker = msg.sender;
        totalSupply = balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) external {
        require(msg.sender == maker);
        _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Makes transfers of several tokens among many holders.
contract Burst {
    BenchToken[] public tokens;

    constructor(uint256 count) {
        for (uint256 i = 0; i < count; i++) tokens.push(new BenchToken(string.concat("BT", string(abi.encodePacked(uint8(65 + i)))), 1e30));
    }

    function burst(uint256 seed, uint256 count, uint256 holders) external {
        for (uint256 i = 0; i < count; i++) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            BenchToken token = tokens[random % tokens.length];
            address from = address(uint160(0x100000000 + ((random >> 32) % holders)));
            address to = address(uint160(0x100000000 + ((random >> 96) % holders)));
            uint256 value = 1e15 + (random >> 200);
            if (token.balanceOf(from) < value) from = address(this);
            token.move(from, to, value);
        }
    }
}
