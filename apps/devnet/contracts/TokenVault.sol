// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @notice An ERC4626 vault, whose shares gain value by each transfer of the asset to it.
contract TokenVault is ERC4626 {
    constructor(
        string memory name,
        string memory symbol,
        IERC20 asset
    ) ERC20(name, symbol) ERC4626(asset) {}
}
