// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {HarborArt} from "./HarborArt.sol";

/// @notice OpenZeppelin's ERC721. It renders its tokens, except those minted with a URI.
contract DevnetCollectible is ERC721 {
    address private immutable _artist;
    mapping(uint256 id => string) private _uris;

    constructor(string memory name_, string memory symbol_, address artist) ERC721(name_, symbol_) {
        _artist = artist;
    }

    /// @param uri Empty for a rendered token; "revert" for a token whose tokenURI reverts.
    function mint(address to, uint256 id, string calldata uri) external {
        require(msg.sender == _artist);
        if (bytes(uri).length > 0) _uris[id] = uri;
        _mint(to, id);
    }

    function burn(uint256 id) external {
        _update(address(0), id, msg.sender);
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        string memory uri = _uris[id];
        if (bytes(uri).length == 0) return HarborArt.tokenUri(name(), id);
        require(keccak256(bytes(uri)) != keccak256("revert"));
        return uri;
    }
}
