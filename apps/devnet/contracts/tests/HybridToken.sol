// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice An ERC20 that logs NFTs: an ERC404 with `ownerOf`, or otherwise a token with an indexed amount.
contract HybridToken {
    uint8 public constant decimals = 18;
    string public constant name = "Hybrid";
    string public constant symbol = "HYB";
    bool private _hasOwners;
    mapping(address holder => uint256) public balanceOf;
    mapping(uint256 id => address) private _owners;

    function configure(bool hasOwners) external {
        _hasOwners = hasOwners;
    }

    function ownerOf(uint256 id) external view returns (address) {
        require(_hasOwners && _owners[id] != address(0));
        return _owners[id];
    }

    function mint(address to, uint256 amount, uint256 id) external {
        balanceOf[to] += amount;
        bytes32 topic = keccak256("Transfer(address,address,uint256)");
        uint256 indexedValue = _hasOwners ? id : amount;
        _owners[id] = to;
        assembly {
            log4(0, 0, topic, 0, to, indexedValue)
        }
        if (!_hasOwners) return;
        assembly {
            mstore(0, amount)
            log3(0, 32, topic, 0, to)
        }
    }
}
