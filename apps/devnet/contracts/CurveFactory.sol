// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/**
 * @notice What the pools of Curve have in common, as their authors publish no bytecode: the interface, events and
 * arithmetic of these, without shares, oracles and administration.
 */
abstract contract CurvePool {
    event AddLiquidity(
        address indexed provider,
        uint256[] token_amounts,
        uint256[] fees,
        uint256 invariant,
        uint256 token_supply
    );

    uint256 internal constant FEE_DENOMINATOR = 10 ** 10;
    uint256 internal constant PRECISION = 10 ** 18;

    address[] public coins;
    uint256[] public balances;
    uint256[] internal _precisions;
    uint256 public A;
    uint256 public fee;
    address internal immutable _factory = msg.sender;

    constructor(address[] memory coins_, uint256 A_, uint256 fee_) {
        coins = coins_;
        balances = new uint256[](coins_.length);
        for (uint256 i; i < coins_.length; i++) {
            _precisions.push(10 ** (18 - IERC20Metadata(coins_[i]).decimals()));
        }
        (A, fee) = (A_, fee_);
    }

    /// @notice Sends balances to an account, and adds what was transferred to the pool to the others.
    function update(address to, uint256[] calldata amounts) external {
        require(msg.sender == CurveFactory(_factory).owner());
        for (uint256 i; i < coins.length; i++) {
            IERC20(coins[i]).transfer(to, amounts[i]);
            balances[i] = IERC20(coins[i]).balanceOf(address(this));
        }
        _updateInvariant();
        emit AddLiquidity(msg.sender, balances, amounts, 0, 0);
    }

    function _swap(uint256 i, uint256 j, uint256 dx, uint256 dy) internal {
        IERC20(coins[i]).transferFrom(msg.sender, address(this), dx);
        IERC20(coins[j]).transfer(msg.sender, dy);
        balances[i] += dx;
        balances[j] -= dy;
        _updateInvariant();
    }

    function _updateInvariant() internal virtual;
}

/// @notice A StableSwap pool of any number of coins.
contract CurveStablePool is CurvePool {
    event TokenExchange(
        address indexed buyer,
        int128 sold_id,
        uint256 tokens_sold,
        int128 bought_id,
        uint256 tokens_bought
    );

    uint256 internal constant A_PRECISION = 100;
    uint256 internal _amplification;
    address internal immutable _originator = tx.origin;
    /// @notice The contract that returns the rate of a coin: the selector in the first 4 bytes, its address in the last 20.
    uint256 public oracle_method;

    constructor(address[] memory coins_, uint256 A_, uint256 fee_) CurvePool(coins_, A_, fee_) {
        _amplification = A_ * A_PRECISION;
    }

    function A_precise() external view returns (uint256) {
        return _amplification;
    }

    function set_oracle(bytes4 method, address oracle) external {
        require(msg.sender == _originator);
        oracle_method = uint256(bytes32(method)) | uint160(oracle);
    }

    function stored_rates() external view returns (uint256[] memory rates) {
        rates = new uint256[](coins.length);
        for (uint256 i; i < rates.length; i++) rates[i] = _precisions[i] * PRECISION;
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256) external returns (uint256 dy) {
        dy = get_dy(i, j, dx);
        _swap(uint256(int256(i)), uint256(int256(j)), dx, dy);
        emit TokenExchange(msg.sender, i, dx, j, dy);
    }

    function get_dy(int128 from, int128 to, uint256 dx) public view returns (uint256 dy) {
        (uint256 i, uint256 j) = (uint256(int256(from)), uint256(int256(to)));
        uint256[] memory xp = new uint256[](coins.length);
        for (uint256 k; k < xp.length; k++) xp[k] = balances[k] * _precisions[k];
        uint256 y = _getY(i, j, xp[i] + dx * _precisions[i], xp);
        dy = xp[j] - y - 1;
        dy = (dy - (dy * fee) / FEE_DENOMINATOR) / _precisions[j];
    }

    function _getD(uint256[] memory xp) internal view returns (uint256 D) {
        uint256 n = xp.length;
        uint256 S;
        for (uint256 k; k < n; k++) S += xp[k];
        uint256 Ann = _amplification * n;
        D = S;
        for (uint256 step; step < 255; step++) {
            uint256 D_P = D;
            for (uint256 k; k < n; k++) D_P = (D_P * D) / (xp[k] * n);
            uint256 previous = D;
            D =
                (((Ann * S) / A_PRECISION + D_P * n) * D) /
                (((Ann - A_PRECISION) * D) / A_PRECISION + (n + 1) * D_P);
            if ((D > previous ? D - previous : previous - D) <= 1) return D;
        }
        revert();
    }

    function _getY(
        uint256 i,
        uint256 j,
        uint256 x,
        uint256[] memory xp
    ) internal view returns (uint256 y) {
        uint256 n = xp.length;
        uint256 D = _getD(xp);
        uint256 Ann = _amplification * n;
        uint256 c = D;
        uint256 S;
        for (uint256 k; k < n; k++) {
            if (k == j) continue;
            uint256 each = k == i ? x : xp[k];
            S += each;
            c = (c * D) / (each * n);
        }
        c = (c * D * A_PRECISION) / (Ann * n);
        uint256 b = S + (D * A_PRECISION) / Ann;
        y = D;
        for (uint256 step; step < 255; step++) {
            uint256 previous = y;
            y = (y * y + c) / (2 * y + b - D);
            if ((y > previous ? y - previous : previous - y) <= 1) return y;
        }
        revert();
    }

    function _updateInvariant() internal override {}
}

/// @notice A CryptoSwap pool of two or three coins, with a constant fee and price scale.
contract CurveCryptoPool is CurvePool {
    event TokenExchange(
        address indexed buyer,
        uint256 sold_id,
        uint256 tokens_sold,
        uint256 bought_id,
        uint256 tokens_bought,
        uint256 fee,
        uint256 packed_price_scale
    );

    uint256 internal constant A_MULTIPLIER = 10000;
    uint256 public gamma;
    uint256 public D;
    uint256[] internal _priceScale;

    constructor(
        address[] memory coins_,
        uint256 A_,
        uint256 gamma_,
        uint256 fee_,
        uint256[] memory priceScale
    ) CurvePool(coins_, A_, fee_) {
        (gamma, _priceScale) = (gamma_, priceScale);
    }

    function price_scale() external view returns (uint256) {
        return _priceScale[0];
    }

    function price_scale(uint256 k) external view returns (uint256) {
        return _priceScale[k];
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256) external returns (uint256 dy) {
        dy = get_dy(i, j, dx);
        _swap(i, j, dx, dy);
        emit TokenExchange(msg.sender, i, dx, j, dy, fee, 0);
    }

    function get_dy(uint256 i, uint256 j, uint256 dx) public view returns (uint256 dy) {
        uint256[] memory xp = balances;
        xp[i] += dx;
        xp = _scale(xp);
        dy = xp[j] - _newtonY(xp, j) - 1;
        if (j > 0) dy = (dy * PRECISION) / _priceScale[j - 1];
        dy /= _precisions[j];
        dy -= (dy * fee) / FEE_DENOMINATOR;
    }

    function _scale(uint256[] memory xp) internal view returns (uint256[] memory) {
        for (uint256 k; k < xp.length; k++) {
            xp[k] *= _precisions[k];
            if (k > 0) xp[k] = (xp[k] * _priceScale[k - 1]) / PRECISION;
        }
        return xp;
    }

    function _distance(uint256 K0) internal view returns (uint256) {
        uint256 g = gamma + PRECISION;
        return (g > K0 ? g - K0 : K0 - g) + 1;
    }

    function _mul1(uint256 D_, uint256 g1k0) internal view returns (uint256) {
        return (((((PRECISION * D_) / gamma) * g1k0) / gamma) * g1k0 * A_MULTIPLIER) / A;
    }

    function _newtonY(uint256[] memory x, uint256 i) internal view returns (uint256 y) {
        uint256 n = x.length;
        uint256 limit = D / 10 ** 14 > 100 ? D / 10 ** 14 : 100;
        uint256 K0_i = PRECISION;
        uint256 S_i;
        y = D / n;
        for (uint256 k; k < n; k++) {
            if (k == i) continue;
            y = (y * D) / (x[k] * n);
            S_i += x[k];
            K0_i = (K0_i * x[k] * n) / D;
            if (x[k] / 10 ** 14 > limit) limit = x[k] / 10 ** 14;
        }
        for (uint256 step; step < 255; step++) {
            uint256 previous = y;
            y = _stepY(y, K0_i, S_i, n);
            uint256 diff = y > previous ? y - previous : previous - y;
            if (diff < (limit > y / 10 ** 14 ? limit : y / 10 ** 14)) return y;
        }
        revert();
    }

    function _stepY(uint256 y, uint256 K0_i, uint256 S_i, uint256 n) internal view returns (uint256) {
        uint256 K0 = (K0_i * y * n) / D;
        uint256 S = S_i + y;
        uint256 g1k0 = _distance(K0);
        uint256 mul1 = _mul1(D, g1k0);
        uint256 mul2 = PRECISION + (2 * PRECISION * K0) / g1k0;
        uint256 yfprime = PRECISION * y + S * mul2 + mul1;
        if (yfprime < D * mul2) return y / 2;
        yfprime -= D * mul2;
        uint256 fprime = yfprime / y;
        uint256 minus = mul1 / fprime;
        uint256 plus = (yfprime + PRECISION * D) / fprime + (minus * PRECISION) / K0;
        minus += (PRECISION * S) / fprime;
        return plus < minus ? y / 2 : plus - minus;
    }

    function _updateInvariant() internal override {
        uint256[] memory x = _scale(balances);
        uint256 S;
        for (uint256 k; k < x.length; k++) {
            if (x[k] == 0) return;
            S += x[k];
        }
        // Any start that is not below the invariant converges.
        uint256 D_ = S;
        for (uint256 step; step < 255; step++) {
            uint256 previous = D_;
            D_ = _stepD(D_, x, S);
            uint256 diff = D_ > previous ? D_ - previous : previous - D_;
            if (diff * 10 ** 14 < (D_ > 10 ** 16 ? D_ : 10 ** 16)) {
                D = D_;
                return;
            }
        }
        revert();
    }

    function _stepD(uint256 D_, uint256[] memory x, uint256 S) internal view returns (uint256) {
        uint256 n = x.length;
        uint256 K0 = PRECISION;
        for (uint256 k; k < n; k++) K0 = (K0 * x[k] * n) / D_;
        uint256 g1k0 = _distance(K0);
        uint256 mul1 = _mul1(D_, g1k0);
        uint256 mul2 = (2 * PRECISION * n * K0) / g1k0;
        uint256 slope = S + (S * mul2) / PRECISION + (mul1 * n) / K0 - (mul2 * D_) / PRECISION;
        uint256 plus = (D_ * (slope + S)) / slope;
        uint256 minus = (D_ * D_) / slope;
        if (PRECISION > K0) {
            minus += (((D_ * (mul1 / slope)) / PRECISION) * (PRECISION - K0)) / K0;
        } else {
            minus -= (((D_ * (mul1 / slope)) / PRECISION) * (K0 - PRECISION)) / K0;
        }
        return plus > minus ? plus - minus : (minus - plus) / 2;
    }
}

/// @notice Creates pools, with the events of Curve's factories.
contract CurveFactory {
    event PlainPoolDeployed(address[] coins, uint256 A, uint256 fee, address deployer);
    event TwocryptoPoolDeployed(
        address pool,
        string name,
        string symbol,
        address[2] coins,
        address math,
        bytes32 salt,
        uint256[2] precisions,
        uint256 packed_A_gamma,
        uint256 packed_fee_params,
        uint256 packed_rebalancing_params,
        uint256 packed_prices,
        address deployer
    );
    event TricryptoPoolDeployed(
        address pool,
        string name,
        string symbol,
        address weth,
        address[3] coins,
        address math,
        bytes32 salt,
        uint256 packed_precisions,
        uint256 packed_A_gamma,
        uint256 packed_fee_params,
        uint256 packed_rebalancing_params,
        uint256 packed_prices,
        address deployer
    );

    address public immutable owner = msg.sender;
    address[] public pool_list;
    mapping(address pool => uint256[]) internal _assetTypes;

    function pool_count() external view returns (uint256) {
        return pool_list.length;
    }

    function deploy_plain_pool(address[] calldata coins, uint256 A, uint256 fee) external {
        deploy_plain_pool(coins, A, fee, new uint256[](coins.length));
    }

    /// @param assetTypes 0 for a token, 1 for one with a contract that returns its rate (1 here), 2 for a rebasing one, 3 for
    /// shares of a vault.
    function deploy_plain_pool(
        address[] calldata coins,
        uint256 A,
        uint256 fee,
        uint256[] memory assetTypes
    ) public {
        address pool = address(new CurveStablePool(coins, A, fee));
        pool_list.push(pool);
        _assetTypes[pool] = assetTypes;
        emit PlainPoolDeployed(coins, A, fee, msg.sender);
    }

    /// @return found the pool at a position among those with both coins first; 0 if there are fewer.
    function find_pool_for_coins(address from, address to, uint256 i)
        external
        view
        returns (address found)
    {
        for (uint256 index; index < pool_list.length; index++) {
            CurvePool pool = CurvePool(pool_list[index]);
            if (pool.coins(0) == from && pool.coins(1) == to) {
                if (i == 0) return address(pool);
                i--;
            }
        }
    }

    function get_pool_asset_types(address pool) external view returns (uint256[] memory) {
        return _assetTypes[pool];
    }

    function deploy_crypto_pool(
        address[] calldata coins,
        uint256 A,
        uint256 gamma,
        uint256 fee,
        uint256[] calldata prices
    ) external {
        address pool = address(new CurveCryptoPool(coins, A, gamma, fee, prices));
        pool_list.push(pool);
        if (coins.length == 2) {
            _emitTwocrypto(pool, [coins[0], coins[1]]);
        } else {
            _emitTricrypto(pool, [coins[0], coins[1], coins[2]]);
        }
    }

    function _emitTwocrypto(address pool, address[2] memory coins) internal {
        uint256[2] memory none;
        emit TwocryptoPoolDeployed(
            pool, "", "", coins, address(0), 0, none, 0, 0, 0, 0, msg.sender
        );
    }

    function _emitTricrypto(address pool, address[3] memory coins) internal {
        emit TricryptoPoolDeployed(
            pool, "", "", address(0), coins, address(0), 0, 0, 0, 0, 0, 0, msg.sender
        );
    }
}
