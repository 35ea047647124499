// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice An ERC721 and ERC1155 whose logs and state are independent of each other.
contract OddCollection {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event ConsecutiveTransfer(uint256 indexed fromId, uint256 toId, address indexed from, address indexed to);
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);

    string public constant name = "Odd";
    string public constant symbol = "ODD";
    bool private _is1155;
    bool private _reverts;
    mapping(uint256 id => address) private _owners;
    mapping(address holder => mapping(uint256 id => uint256)) private _amounts;

    function configure(bool is1155, bool reverts) external {
        _is1155 = is1155;
        _reverts = reverts;
    }

    function supportsInterface(bytes4 id) external view returns (bool) {
        return id == 0x01ffc9a7 || id == (_is1155 ? bytes4(0xd9b67a26) : bytes4(0x80ac58cd));
    }

    function ownerOf(uint256 id) external view returns (address) {
        require(!_is1155 && !_reverts && _owners[id] != address(0));
        return _owners[id];
    }

    function balanceOf(address holder, uint256 id) public view returns (uint256) {
        require(_is1155 && !_reverts);
        return _amounts[holder][id];
    }

    function balanceOfBatch(address[] calldata holders, uint256[] calldata ids)
        external
        view
        returns (uint256[] memory amounts)
    {
        amounts = new uint256[](ids.length);
        for (uint256 index = 0; index < ids.length; index++) amounts[index] = balanceOf(holders[index], ids[index]);
    }

    function setOwner(uint256 id, address owner) external {
        _owners[id] = owner;
    }

    function setAmount(address holder, uint256 id, uint256 amount) external {
        _amounts[holder][id] = amount;
    }

    function log(address from, address to, uint256 id) external {
        emit Transfer(from, to, id);
    }

    function logSingle(address from, address to, uint256 id, uint256 amount) external {
        emit TransferSingle(msg.sender, from, to, id, amount);
    }

    function mint(address to, uint256 id) external {
        _owners[id] = to;
        emit Transfer(address(0), to, id);
    }

    function transfer(address from, address to, uint256 id) external {
        _owners[id] = to;
        emit Transfer(from, to, id);
    }

    function mintItem(address to, uint256 id, uint256 amount) external {
        _amounts[to][id] += amount;
        emit TransferSingle(msg.sender, address(0), to, id, amount);
    }

    function mintBatch(address to, uint256 first, uint256 last) external {
        for (uint256 id = first; id <= last; id++) _owners[id] = to;
        emit ConsecutiveTransfer(first, last, address(0), to);
    }
}
