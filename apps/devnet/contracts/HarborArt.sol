// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @notice Renders SVG images of a harbor, determined by collection and id.
library HarborArt {
    /// @notice A `data:` URI of JSON that contains the image.
    function tokenUri(string memory collection, uint256 id) internal pure returns (string memory) {
        uint256 seed = uint256(keccak256(abi.encode(collection, id)));
        string memory image = string.concat("data:image/svg+xml;base64,", Base64.encode(bytes(svg(seed))));
        bytes memory json = abi.encodePacked(
            '{"name":"',
            collection,
            " #",
            Strings.toString(id),
            '","description":"The harbor at a certain hour, drawn by its contract.","image":"',
            image,
            '","attributes":[{"trait_type":"Hue","value":',
            Strings.toString(seed % 360),
            '},{"trait_type":"Sky","value":"',
            _isNight(seed) ? "night" : "day",
            '"},{"trait_type":"Boats","value":',
            Strings.toString(_boats(seed)),
            "}]}"
        );
        return string.concat("data:application/json;base64,", Base64.encode(json));
    }

    function svg(uint256 seed) internal pure returns (string memory) {
        return string.concat(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400">',
            _sky(seed),
            _sea(seed),
            "</svg>"
        );
    }

    function _sky(uint256 seed) private pure returns (string memory) {
        (string memory high, string memory low) =
            _isNight(seed) ? ("60%,14%", "55%,34%") : ("75%,62%", "85%,86%");
        return string.concat(
            '<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="',
            _color(seed % 360, high),
            '"/><stop offset="1" stop-color="',
            _color((seed % 360) + 46, low),
            '"/></linearGradient></defs><rect width="400" height="400" fill="url(#s)"/><circle cx="',
            Strings.toString(60 + ((seed >> 16) % 280)),
            '" cy="',
            Strings.toString(70 + ((seed >> 32) % 110)),
            '" r="',
            Strings.toString(22 + ((seed >> 48) % 34)),
            '" fill="#fff7e0" opacity=".92"/>'
        );
    }

    function _sea(uint256 seed) private pure returns (string memory drawn) {
        uint256 boats = _boats(seed);
        for (uint256 wave = 0; wave < 5; wave++) {
            uint256 y = 222 + wave * 36;
            uint256 swell = 6 + ((seed >> (64 + 8 * wave)) % 18);
            if (wave > 0 && wave <= boats) drawn = string.concat(drawn, _boat(seed >> (8 * wave), y));
            drawn = string.concat(
                drawn,
                '<path d="M-20 ',
                Strings.toString(y),
                " q35 -",
                Strings.toString(swell),
                ' 70 0 t70 0 70 0 70 0 70 0 70 0 70 0 V420 H-20Z" fill="',
                _color((seed % 360) + 160 + 9 * wave, string.concat("52%,", Strings.toString(58 - 9 * wave), "%")),
                '"/>'
            );
        }
    }

    function _boat(uint256 seed, uint256 y) private pure returns (string memory) {
        return string.concat(
            '<g transform="translate(',
            Strings.toString(30 + ((seed >> 120) % 310)),
            " ",
            Strings.toString(y - 18),
            ')"><path d="M0 12 h44 l-9 14 h-26z" fill="#3b2f2f"/><path d="M21 8 v-38 l20 34z" fill="',
            _color((seed >> 140) % 360, "80%,66%"),
            '"/></g>'
        );
    }

    function _boats(uint256 seed) private pure returns (uint256) {
        return (seed >> 200) % 4;
    }

    function _isNight(uint256 seed) private pure returns (bool) {
        return (seed >> 220) % 3 == 0;
    }

    function _color(uint256 hue, string memory rest) private pure returns (string memory) {
        return string.concat("hsl(", Strings.toString(hue % 360), ",", rest, ")");
    }
}
