import type { FactoryOption } from '../pricing/venues/venues.ts'

type BalanceOption = Extract<
  FactoryOption,
  'curveFactories' | 'balancerV2Factories' | 'erc4626Vaults' | 'rocketPoolTokens' | 'lidoTokens'
>

/**
 * The factories of pools whose state is read, and vaults, by chain id. As their authors publish them: Curve (curve-js,
 * curve-core, its registries), Balancer (balancer-deployments; all versions of weighted, stable and composable stable pools),
 * Sky, Frax, Rocket Pool, Lido. Vaults whose shares are redeemed after a delay, such as sUSDe, are not among them: nothing can be
 * sold into these at once.
 */
export const balanceVenuePresets: Readonly<
  Record<number, Readonly<Partial<Record<BalanceOption, readonly string[]>>>>
> = {
  // Ethereum
  1: {
    curveFactories: [
      '0x90e00ace148ca3b23ac1bc8c240c2a7dd9c2d7f5', // registry of stable pools
      '0x8f942c20d02befc377d41445793068908e2250d0', // registry of crypto pools
      '0xb9fc157394af804a3578134a6585c0dc9cc990d4', // stable
      '0x6a8cbed756804b16e05e741edabd5cb544ae21bf', // stable NG
      '0xf18056bbd320e96a48e3fbf8bc061322531aac99', // crypto
      '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', // twocrypto NG
      '0x0c0e5f2ff0ff18a3be9b835635039256dc4b4963', // tricrypto NG
    ],
    balancerV2Factories: [
      '0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9', // weighted, 2021
      '0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0', // weighted, two tokens, 2021
      '0xc66ba2b6595d3613ccab350c886ace23866ede24', // stable, 2021
      '0x8df6efec5547e31b0eb7d1291b511ff8a2bf987c', // stable, 2022
      '0xf9ac7b9df2b3454e841110cce5550bd5ac6f875f', // composable stable, 2022
      '0xcc508a455f5b0073973107db6a878ddbdab957bc', // weighted, 2022
      '0x85a80afee867adf27b50bdb7b76da70f1e853062', // composable stable, 2022
      '0xdba127fbc23fb20f5929c546af220a991b5c6e01', // composable stable, 2023
      '0x5dd94da3644ddd055fcf6b3e1aa310bb7801eb8b', // weighted, 2023
      '0xfada0f4547ab2de89d1304a668c39b3e09aa7c76', // composable stable, 2023
      '0x897888115ada5773e02aa29f775430bfb5f34c51', // weighted, 2023
      '0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a', // composable stable, 2023
      '0x5b42ec6d40f7b7965be5308c70e2603c0281c1e9', // composable stable, 2024
    ],
    erc4626Vaults: [
      '0x83f20f44975d03b1b09e64809b757c47f942beea', // sDAI
      '0xa3931d71877c0e7a3148cb7eb4463524fec27fbd', // sUSDS
      '0xac3e018457b222d93114458476f3e3416abbe38f', // sfrxETH
      '0x0655977feb2f289a4ab78af67bab0d17aab84367', // scrvUSD
    ],
    rocketPoolTokens: ['0xae78736cd615f374d3085123a210448e74fc6393'], // rETH
    lidoTokens: ['0xae7ab96520de3a18e5e111b5eaab095312d7fe84'], // stETH
  },
  // OP Mainnet
  10: {
    curveFactories: [
      '0x2db0e83599a91b508ac268a6197b8b14f5e72840', // stable
      '0x5eee3091f747e60a045a2e715a4c71e600e31f6e', // stable NG
      '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', // twocrypto NG
      '0xc6c09471ee39c7e30a067952fcc89c8922f9ab53', // tricrypto NG
    ],
    balancerV2Factories: [
      '0xdae7e32adc5d490a43ccba1f0c736033f2b4efca', // weighted, 2021
      '0x0f3e0c4218b7b0108a3643cfe9d3ec0d4f57c54e', // weighted, two tokens, 2021
      '0x41b953164995c11c81da73d212ed8af25741b7ac', // stable, 2021
      '0xeb151668006cd04dadd098afd0a82e78f77076c3', // stable, 2022
      '0xf145cafb67081895ee80eb7c04a30cf87f07b745', // composable stable, 2022
      '0xad901309d9e9dbc5df19c84f729f429f0189a633', // weighted, 2022
      '0x85a80afee867adf27b50bdb7b76da70f1e853062', // composable stable, 2022
      '0xe2e901ab09f37884ba31622df3ca7fc19aa443be', // composable stable, 2023
      '0xa0dabebaad1b243bbb243f933013d560819eb66f', // weighted, 2023
      '0x1802953277fd955f9a254b80aa0582f193cf1d77', // composable stable, 2023
      '0x230a59f4d9adc147480f03b0d3fffecd56c3289a', // weighted, 2023
      '0x043a2dad730d585c44fb79d2614f295d2d625412', // composable stable, 2023
      '0x4bdcc2fb18aeb9e2d281b0278d946445070eada7', // composable stable, 2024
    ],
  },
  // BNB Smart Chain
  56: {
    curveFactories: [
      '0xefde221f306152971d8e9f181bfe998447975810', // stable
      '0xd7e72f3615aa65b92a4dbdc211e296a35512988b', // stable NG
      '0xbd5fbd2fa58cb15228a9abdac9ec994f79e3483c', // crypto
      '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', // twocrypto NG
      '0x38f8d93406fa2d9924dcfcb67db5b0521fb20f7d', // tricrypto NG
    ],
    balancerV2Factories: [
      '0xf302f9f50958c5593770fdf4d4812309ff77414f', // composable stable, 2022
      '0xc128a9954e6c874ea3d62ce62b468ba073093f25', // weighted, 2022
      '0x85a80afee867adf27b50bdb7b76da70f1e853062', // composable stable, 2022
      '0xacaac3e6d6df918bf3c809dfc7d42de0e4a72d4c', // composable stable, 2023
      '0x6e4cf292c5349c79ccd66349c3ed56357dd11b46', // weighted, 2023
      '0x1802953277fd955f9a254b80aa0582f193cf1d77', // composable stable, 2023
      '0x230a59f4d9adc147480f03b0d3fffecd56c3289a', // weighted, 2023
      '0x4fb47126fa83a8734991e41b942ac29a3266c968', // composable stable, 2023
      '0x6b5da774890db7b7b96c6f44e6a4b0f657399e2e', // composable stable, 2024
    ],
  },
  // Gnosis
  100: {
    curveFactories: [
      '0xd19baeadc667cf2015e395f2b08668ef120f41f5', // stable
      '0xbc0797015fcfc47d9c1856639cae50d0e69fbee8', // stable NG
      '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', // twocrypto NG
      '0xb47988ad49dce8d909c6f9cf7b26caf04e1445c8', // tricrypto NG
    ],
    balancerV2Factories: [
      '0xf23b4db826dba14c0e857029dff076b1c0264843', // stable, 2022
      '0xf302f9f50958c5593770fdf4d4812309ff77414f', // weighted, 2022
      '0x76578ecf9a141296ec657847fb45b0585bcda3a6', // composable stable, 2022
      '0xc128468b7ce63ea702c1f104d55a2566b13d3abd', // composable stable, 2023
      '0xc128a9954e6c874ea3d62ce62b468ba073093f25', // weighted, 2023
      '0xd87f44df0159dc78029ab9ca7d7e57e7249f5acd', // composable stable, 2023
      '0x6cad2ea22bfa7f4c14aae92e47f510cd5c509bc7', // weighted, 2023
      '0x4bdcc2fb18aeb9e2d281b0278d946445070eada7', // composable stable, 2023
      '0x47b489bf5836f83abd928c316f8e39bc0587b020', // composable stable, 2024
    ],
    erc4626Vaults: [
      '0xaf204776c7245bf4147c2612bf6e5972ee483701', // sDAI
    ],
  },
  // Polygon
  137: {
    curveFactories: [
      '0x722272d36ef0da72ff51c5a65db7b870e2e8d4ee', // stable
      '0x1764ee18e8b3cca4787249ceb249356192594585', // stable NG
      '0xe5de15a9c9bbedb4f5ec13b131e61245f2983a69', // crypto
      '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', // twocrypto NG
      '0xc1b393efef38140662b91441c6710aa704973228', // tricrypto NG
    ],
    balancerV2Factories: [
      '0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9', // weighted, 2021
      '0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0', // weighted, two tokens, 2021
      '0xc66ba2b6595d3613ccab350c886ace23866ede24', // stable, 2021
      '0xca96c4f198d343e251b1a01f3eba061ef3da73c1', // stable, 2022
      '0x136fd06fa01ecf624c7f2b3cb15742c1339dc2c4', // composable stable, 2022
      '0x0e39c3d9b2ec765efd9c5c70bb290b1fcd8536e3', // weighted, 2022
      '0x85a80afee867adf27b50bdb7b76da70f1e853062', // composable stable, 2022
      '0x7bc6c0e73edaa66ef3f6e2f27b0ee8661834c6c9', // composable stable, 2023
      '0x82e4cfaef85b1b6299935340c964c942280327f4', // weighted, 2023
      '0x6ab5549bbd766a43afb687776ad8466f8b42f777', // composable stable, 2023
      '0xfc8a407bba312ac761d8bfe04ce1201904842b76', // weighted, 2023
      '0xe2fa4e1d17725e72dcdafe943ecf45df4b9e285b', // composable stable, 2023
      '0xeaedc32a51c510d35ebc11088fd5ff2b47aacf2e', // composable stable, 2024
    ],
  },
  // Base
  8453: {
    curveFactories: [
      '0x3093f9b57a428f3eb6285a589cb35bea6e78c336', // stable
      '0xd2002373543ce3527023c75e7518c274a51ce712', // stable NG
      '0x5ef72230578b3e399e6c6f4f6360edf95e83bbfd', // crypto
      '0xc9fe0c63af9a39402e8a5514f9c43af0322b665f', // twocrypto NG
      '0xa5961898870943c68037f6848d2d866ed2016bcb', // tricrypto NG
    ],
    balancerV2Factories: [
      '0x4c32a8a8fda4e24139b51b456b42290f51d6a1c4', // weighted, 2023
      '0x8df317a729fcaa260306d7de28888932cb579b88', // composable stable, 2023
      '0x956ccab09898c0af2aca5e6c229c3ad4e93d9288', // composable stable, 2024
    ],
  },
  // Arbitrum One
  42161: {
    curveFactories: [
      '0xb17b674d9c5cb2e441f8e196a2f048a81355d031', // stable
      '0x9af14d26075f142eb3f292d5065eb3faa646167b', // stable NG
      '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', // twocrypto NG
      '0xbc0797015fcfc47d9c1856639cae50d0e69fbee8', // tricrypto NG
    ],
    balancerV2Factories: [
      '0x7dfdef5f355096603419239ce743bfaf1120312b', // weighted, 2021
      '0xcf0a32bbef8f064969f21f7e02328fb577382018', // weighted, two tokens, 2021
      '0x2433477a10fc5d31b9513c638f19ee85caed53fd', // stable, 2021
      '0xef44d6786b2b4d544b7850fe67ce6381626bf2d6', // stable, 2022
      '0xaeb406b0e430bf5ea2dc0b9fe62e4e53f74b3a33', // composable stable, 2022
      '0x8df6efec5547e31b0eb7d1291b511ff8a2bf987c', // weighted, 2022
      '0x85a80afee867adf27b50bdb7b76da70f1e853062', // composable stable, 2022
      '0x1c99324edc771c82a0dccb780cc7dda0045e50e7', // composable stable, 2023
      '0xf1665e19bc105be4edd3739f88315cc699cc5b65', // weighted, 2023
      '0x2498a2b0d6462d2260eac50ae1c3e03f4829ba95', // composable stable, 2023
      '0xc7e5ed1054a24ef31d827e6f86caa58b3bc168d7', // weighted, 2023
      '0xa8920455934da4d853faac1f94fe7bef72943ef1', // composable stable, 2023
      '0x4bdcc2fb18aeb9e2d281b0278d946445070eada7', // composable stable, 2024
    ],
  },
  // Avalanche
  43114: {
    curveFactories: [
      '0xb17b674d9c5cb2e441f8e196a2f048a81355d031', // stable
      '0x1764ee18e8b3cca4787249ceb249356192594585', // stable NG
      '0x90f421832199e93d01b64daf378b183809eb0988', // crypto
      '0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', // twocrypto NG
      '0x3d6cb2f6dcf47cdd9c13e4e3beae9af041d8796a', // tricrypto NG
    ],
    balancerV2Factories: [
      '0x94f68b54191f62f781fe8298a8a5fa3ed772d227', // weighted, 2023
      '0x3b1eb8eb7b43882b385ab30533d9a2bef9052a98', // composable stable, 2023
      '0x230a59f4d9adc147480f03b0d3fffecd56c3289a', // weighted, 2023
      '0xe42ffa682a26ef8f25891db4882932711d42e467', // composable stable, 2023
      '0xb9f8ab3ed3f3acba64bc6cd2dca74b7f38fd7b88', // composable stable, 2024
    ],
  },
}
