// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The transfers of ERC404 version 1: amounts are logged as `ERC20Transfer`, and each whole unit is an NFT.
contract Erc404Token {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event ERC20Transfer(address indexed from, address indexed to, uint256 amount);

    string public constant name = "Pandora";
    string public constant symbol = "P404";
    uint8 public constant decimals = 18;
    uint256 private constant _unit = 1e18;
    uint256 public minted;
    mapping(address holder => uint256) public balanceOf;
    mapping(address holder => bool) private _isExempt;
    mapping(uint256 id => address) private _owners;
    mapping(address holder => uint256[]) private _owned;

    /// @notice As its constructor: without an event and without NFTs.
    function deal(address holder, uint256 amount) external {
        balanceOf[holder] = amount;
        _isExempt[holder] = true;
    }

    function ownerOf(uint256 id) external view returns (address) {
        require(_owners[id] != address(0));
        return _owners[id];
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    /// @notice Transfers as if the holder had called `transfer`.
    function move(address from, address to, uint256 amount) external {
        _transfer(from, to, amount);
    }

    function _transfer(address from, address to, uint256 amount) private {
        uint256 fromBefore = balanceOf[from];
        uint256 toBefore = balanceOf[to];
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        if (!_isExempt[from]) {
            for (uint256 count = fromBefore / _unit - balanceOf[from] / _unit; count > 0; count--) _burn(from);
        }
        if (!_isExempt[to]) {
            for (uint256 count = balanceOf[to] / _unit - toBefore / _unit; count > 0; count--) _mint(to);
        }
        emit ERC20Transfer(from, to, amount);
    }

    function _mint(address to) private {
        uint256 id = ++minted;
        _owners[id] = to;
        _owned[to].push(id);
        emit Transfer(address(0), to, id);
    }

    function _burn(address from) private {
        uint256 id = _owned[from][_owned[from].length - 1];
        _owned[from].pop();
        delete _owners[id];
        emit Transfer(from, address(0), id);
    }
}
