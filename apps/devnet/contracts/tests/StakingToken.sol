// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice A staking token with the interface and arithmetic of Rocket Pool's rETH. Of the deposits, all is collateral but
/// what `stake` sends away.
contract StakingToken is ERC20 {
    event TokensMinted(address indexed to, uint256 amount, uint256 ethAmount, uint256 time);
    event TokensBurned(address indexed from, uint256 amount, uint256 ethAmount, uint256 time);
    event EtherDeposited(address indexed from, uint256 amount, uint256 time);

    uint256 public staked;

    constructor() ERC20("Staking token", "STK") {}

    receive() external payable {
        emit EtherDeposited(msg.sender, msg.value, block.timestamp);
    }

    function getTotalCollateral() public view returns (uint256) {
        return address(this).balance;
    }

    function getEthValue(uint256 amount) public view returns (uint256) {
        uint256 supply = totalSupply();
        return supply == 0 ? amount : (amount * (address(this).balance + staked)) / supply;
    }

    function getExchangeRate() external view returns (uint256) {
        return getEthValue(1 ether);
    }

    function mint() external payable {
        uint256 value = address(this).balance + staked - msg.value;
        uint256 amount = totalSupply() == 0 ? msg.value : (msg.value * totalSupply()) / value;
        _mint(msg.sender, amount);
        emit TokensMinted(msg.sender, amount, msg.value, block.timestamp);
    }

    function stake(address payable to, uint256 amount) external {
        staked += amount;
        to.transfer(amount);
    }

    function burn(uint256 amount) external {
        uint256 value = getEthValue(amount);
        require(getTotalCollateral() >= value, "Insufficient ETH balance for exchange");
        _burn(msg.sender, amount);
        payable(msg.sender).transfer(value);
        emit TokensBurned(msg.sender, amount, value, block.timestamp);
    }
}
