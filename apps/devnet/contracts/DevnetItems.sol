// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {HarborArt} from "./HarborArt.sol";

/// @notice OpenZeppelin's ERC1155. It renders its items, unless it has a URI with `{id}`.
contract DevnetItems is ERC1155 {
    address private immutable _artist;
    string public name;
    string public symbol;

    constructor(string memory name_, string memory symbol_, address artist, string memory uri_) ERC1155(uri_) {
        _artist = artist;
        name = name_;
        symbol = symbol_;
    }

    function mint(address to, uint256 id, uint256 amount) external {
        require(msg.sender == _artist);
        _mint(to, id, amount, "");
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        require(msg.sender == _artist);
        _mintBatch(to, ids, amounts, "");
    }

    function burnBatch(uint256[] calldata ids, uint256[] calldata amounts) external {
        _burnBatch(msg.sender, ids, amounts);
    }

    function uri(uint256 id) public view override returns (string memory) {
        string memory template = super.uri(id);
        return bytes(template).length == 0 ? HarborArt.tokenUri(name, id) : template;
    }
}
