// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// An ERC20 token that changes amounts without a log, and logs transfers that do not happen.
contract AuditedToken {
    string public constant name = "Audited";
    string public constant symbol = "AUD";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function change(address holder) external {
        balanceOf[holder] += 1;
    }

    function lie(address holder) external {
        emit Transfer(address(0), holder, 1);
    }
}

/// An ERC721 collection that stores moved tokens only, so that any number is minted at once.
contract AuditedCollection {
    string public constant name = "Audited";
    string public constant symbol = "AUC";
    uint256 public constant perHolder = 20;
    mapping(uint256 => address) private _moved;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event ConsecutiveTransfer(uint256 indexed fromId, uint256 toId, address indexed from, address indexed to);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x80ac58cd;
    }

    function ownerOf(uint256 id) public view returns (address) {
        address moved = _moved[id];
        return moved == address(0) ? address(uint160(uint256(keccak256(abi.encode(id / perHolder))))) : moved;
    }

    function mint(uint256 from, uint256 to) external {
        for (uint256 id = from; id < to; id += perHolder) {
            emit ConsecutiveTransfer(id, id + perHolder - 1, address(0), ownerOf(id));
        }
    }

    function change(uint256 id) external {
        _moved[id] = msg.sender;
    }

    function lie(uint256 id) external {
        emit Transfer(ownerOf(id), msg.sender, id);
    }
}

/// Creates many tokens with three holders each, as minimal proxies of one.
contract AuditWorld {
    address private immutable _token = address(new AuditedToken());
    AuditedCollection public immutable collection = new AuditedCollection();
    AuditedToken[] public tokens;

    function create(uint256 count) external {
        for (uint256 index = 0; index < count; index++) {
            AuditedToken token = AuditedToken(_clone());
            for (uint256 holder = 0; holder < 3; holder++) token.mint(holderOf(tokens.length, holder), 1e18 + index);
            tokens.push(token);
        }
    }

    function holderOf(uint256 token, uint256 holder) public pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encode(token, holder)))));
    }

    function _clone() private returns (address clone) {
        bytes memory code = abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", _token, hex"5af43d82803e903d91602b57fd5bf3"
        );
        assembly {
            clone := create(0, add(code, 32), mload(code))
        }
    }
}
