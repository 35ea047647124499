// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice Emits arbitrary logs. Its functions are those of an ERC20 without holders.
contract LogEmitter {
    string public constant name = "Garbage";
    string public constant symbol = "GARB";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 0;

    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    function emitLog(bytes32[] calldata topics, bytes calldata data) external {
        bytes memory copy = data;
        bytes32[4] memory topic;
        for (uint256 index = 0; index < topics.length; index++) topic[index] = topics[index];
        assembly {
            let start := add(copy, 32)
            let size := mload(copy)
            switch topics.length
            case 0 { log0(start, size) }
            case 1 { log1(start, size, mload(topic)) }
            case 2 { log2(start, size, mload(topic), mload(add(topic, 32))) }
            case 3 { log3(start, size, mload(topic), mload(add(topic, 32)), mload(add(topic, 64))) }
            default { log4(start, size, mload(topic), mload(add(topic, 32)), mload(add(topic, 64)), mload(add(topic, 96))) }
        }
    }
}
