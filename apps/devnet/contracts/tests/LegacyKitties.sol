// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The events and the ownership of CryptoKitties: no parameter of `Transfer` is indexed.
contract LegacyKitties {
    event Birth(address owner, uint256 kittyId, uint256 matronId, uint256 sireId, uint256 genes);
    event Transfer(address from, address to, uint256 tokenId);

    string public constant name = "CryptoKitties";
    string public constant symbol = "CK";
    mapping(uint256 id => address) private _owners;
    mapping(address holder => uint256) public balanceOf;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9a20483d;
    }

    function ownerOf(uint256 id) external view returns (address owner) {
        owner = _owners[id];
        require(owner != address(0));
    }

    function createKitty(address to, uint256 id) external {
        emit Birth(to, id, 0, 0, 0);
        transfer(to, id);
    }

    function transfer(address to, uint256 id) public {
        address from = _owners[id];
        _owners[id] = to;
        balanceOf[to]++;
        if (from != address(0)) balanceOf[from]--;
        emit Transfer(from, to, id);
    }
}
