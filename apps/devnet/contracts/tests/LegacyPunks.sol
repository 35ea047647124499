// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The events and the ownership of CryptoPunks, which precede ERC721.
contract LegacyPunks {
    event Assign(address indexed to, uint256 punkIndex);
    event Transfer(address indexed from, address indexed to, uint256 value);
    event PunkTransfer(address indexed from, address indexed to, uint256 punkIndex);
    event PunkNoLongerForSale(uint256 indexed punkIndex);
    event PunkBought(
        uint256 indexed punkIndex, uint256 value, address indexed fromAddress, address indexed toAddress
    );

    string public constant name = "CRYPTOPUNKS";
    string public constant symbol = "PUNK";
    uint8 public constant decimals = 0;
    mapping(uint256 index => address) public punkIndexToAddress;
    mapping(address holder => uint256) public balanceOf;
    mapping(uint256 index => address) private _bidders;

    function setInitialOwner(address to, uint256 index) external {
        if (punkIndexToAddress[index] != address(0)) balanceOf[punkIndexToAddress[index]]--;
        _own(to, index);
        emit Assign(to, index);
    }

    function transferPunk(address to, uint256 index) external {
        address from = _move(to, index);
        emit PunkTransfer(from, to, index);
    }

    function buyPunk(address buyer, uint256 index) external {
        address seller = _move(buyer, index);
        emit PunkNoLongerForSale(index);
        emit PunkBought(index, 1 ether, seller, buyer);
    }

    function enterBidForPunk(address bidder, uint256 index) external {
        _bidders[index] = bidder;
    }

    /// @notice As deployed: the bid is a reference to the storage that is deleted before the event.
    function acceptBidForPunk(uint256 index) external {
        address seller = _move(_bidders[index], index);
        delete _bidders[index];
        emit PunkBought(index, 0, seller, _bidders[index]);
    }

    function moveSilently(address to, uint256 index) external {
        balanceOf[punkIndexToAddress[index]]--;
        _own(to, index);
    }

    function _move(address to, uint256 index) private returns (address from) {
        from = punkIndexToAddress[index];
        balanceOf[from]--;
        _own(to, index);
        emit Transfer(from, to, 1);
    }

    function _own(address to, uint256 index) private {
        punkIndexToAddress[index] = to;
        balanceOf[to]++;
    }
}
