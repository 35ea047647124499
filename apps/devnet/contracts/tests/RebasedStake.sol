// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice A token whose balances are shares of what is staked, with the interface and arithmetic of Lido's stETH, and the
/// contracts by which its wrapped form is found in one.
contract RebasedStake {
    event TokenRebased(
        uint256 indexed reportTimestamp,
        uint256 timeElapsed,
        uint256 preTotalShares,
        uint256 preTotalEther,
        uint256 postTotalShares,
        uint256 postTotalEther,
        uint256 sharesMintedAsFees
    );

    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;
    mapping(address => mapping(address => uint256)) public allowance;
    WrappedStake public immutable WSTETH = new WrappedStake(this);

    function getLidoLocator() external view returns (address) {
        return address(this);
    }

    function withdrawalQueue() external view returns (address) {
        return address(this);
    }

    function getPooledEthByShares(uint256 shares) public view returns (uint256) {
        return totalShares == 0 ? shares : (shares * totalSupply) / totalShares;
    }

    function getSharesByPooledEth(uint256 amount) public view returns (uint256) {
        return totalShares == 0 ? amount : (amount * totalShares) / totalSupply;
    }

    function balanceOf(address account) external view returns (uint256) {
        return getPooledEthByShares(sharesOf[account]);
    }

    function submit() external payable {
        uint256 shares = getSharesByPooledEth(msg.value);
        sharesOf[msg.sender] += shares;
        totalShares += shares;
        totalSupply += msg.value;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
    }

    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }

    function move(address from, address to, uint256 amount) private {
        uint256 shares = getSharesByPooledEth(amount);
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
    }

    /// @notice What a report of the oracle does.
    function report(uint256 total) external {
        uint256 before = totalSupply;
        totalSupply = total;
        emit TokenRebased(block.timestamp, 86400, totalShares, before, totalShares, total, 0);
    }
}

/// @notice The interface and arithmetic of Lido's wstETH.
contract WrappedStake is ERC20 {
    RebasedStake public immutable stETH;

    constructor(RebasedStake stake) ERC20("Wrapped stake", "WSTK") {
        stETH = stake;
    }

    function wrap(uint256 amount) external {
        _mint(msg.sender, stETH.getSharesByPooledEth(amount));
        stETH.transferFrom(msg.sender, address(this), amount);
    }

    function unwrap(uint256 amount) external {
        _burn(msg.sender, amount);
        stETH.transfer(msg.sender, stETH.getPooledEthByShares(amount));
    }

    function stEthPerToken() external view returns (uint256) {
        return stETH.getPooledEthByShares(1 ether);
    }
}
