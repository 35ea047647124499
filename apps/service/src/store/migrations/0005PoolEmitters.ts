import { type Kysely, sql } from 'kysely'

/**
 * Balancer's vault, at one address on each chain with a preset. Forks have their own: their pools count events of any contract.
 */
const balancerVault = '\\xba12222222228d8ba445958a75a0704d566bf2c8'
/** Balancer's own factories. */
const balancerFactories = [
  '043a2dad730d585c44fb79d2614f295d2d625412',
  '0e39c3d9b2ec765efd9c5c70bb290b1fcd8536e3',
  '0f3e0c4218b7b0108a3643cfe9d3ec0d4f57c54e',
  '136fd06fa01ecf624c7f2b3cb15742c1339dc2c4',
  '1802953277fd955f9a254b80aa0582f193cf1d77',
  '1c99324edc771c82a0dccb780cc7dda0045e50e7',
  '230a59f4d9adc147480f03b0d3fffecd56c3289a',
  '2498a2b0d6462d2260eac50ae1c3e03f4829ba95',
  '3b1eb8eb7b43882b385ab30533d9a2bef9052a98',
  '47b489bf5836f83abd928c316f8e39bc0587b020',
  '4bdcc2fb18aeb9e2d281b0278d946445070eada7',
  '4c32a8a8fda4e24139b51b456b42290f51d6a1c4',
  '4fb47126fa83a8734991e41b942ac29a3266c968',
  '5b42ec6d40f7b7965be5308c70e2603c0281c1e9',
  '5dd94da3644ddd055fcf6b3e1aa310bb7801eb8b',
  '6ab5549bbd766a43afb687776ad8466f8b42f777',
  '6b5da774890db7b7b96c6f44e6a4b0f657399e2e',
  '6cad2ea22bfa7f4c14aae92e47f510cd5c509bc7',
  '6e4cf292c5349c79ccd66349c3ed56357dd11b46',
  '76578ecf9a141296ec657847fb45b0585bcda3a6',
  '7bc6c0e73edaa66ef3f6e2f27b0ee8661834c6c9',
  '7dfdef5f355096603419239ce743bfaf1120312b',
  '82e4cfaef85b1b6299935340c964c942280327f4',
  '85a80afee867adf27b50bdb7b76da70f1e853062',
  '897888115ada5773e02aa29f775430bfb5f34c51',
  '8df317a729fcaa260306d7de28888932cb579b88',
  '8df6efec5547e31b0eb7d1291b511ff8a2bf987c',
  '8e9aa87e45e92bad84d5f8dd1bff34fb92637de9',
  '94f68b54191f62f781fe8298a8a5fa3ed772d227',
  '956ccab09898c0af2aca5e6c229c3ad4e93d9288',
  'a0dabebaad1b243bbb243f933013d560819eb66f',
  'a5bf2ddf098bb0ef6d120c98217dd6b141c74ee0',
  'a8920455934da4d853faac1f94fe7bef72943ef1',
  'acaac3e6d6df918bf3c809dfc7d42de0e4a72d4c',
  'ad901309d9e9dbc5df19c84f729f429f0189a633',
  'aeb406b0e430bf5ea2dc0b9fe62e4e53f74b3a33',
  'b9f8ab3ed3f3acba64bc6cd2dca74b7f38fd7b88',
  'c128468b7ce63ea702c1f104d55a2566b13d3abd',
  'c128a9954e6c874ea3d62ce62b468ba073093f25',
  'c7e5ed1054a24ef31d827e6f86caa58b3bc168d7',
  'ca96c4f198d343e251b1a01f3eba061ef3da73c1',
  'cc508a455f5b0073973107db6a878ddbdab957bc',
  'cf0a32bbef8f064969f21f7e02328fb577382018',
  'd87f44df0159dc78029ab9ca7d7e57e7249f5acd',
  'dae7e32adc5d490a43ccba1f0c736033f2b4efca',
  'db8d758bcb971e482b2c45f7f8a7740283a1bd3a',
  'dba127fbc23fb20f5929c546af220a991b5c6e01',
  'e2e901ab09f37884ba31622df3ca7fc19aa443be',
  'e2fa4e1d17725e72dcdafe943ecf45df4b9e285b',
  'e42ffa682a26ef8f25891db4882932711d42e467',
  'eaedc32a51c510d35ebc11088fd5ff2b47aacf2e',
  'eb151668006cd04dadd098afd0a82e78f77076c3',
  'ef44d6786b2b4d544b7850fe67ce6381626bf2d6',
  'f145cafb67081895ee80eb7c04a30cf87f07b745',
  'f1665e19bc105be4edd3739f88315cc699cc5b65',
  'f23b4db826dba14c0e857029dff076b1c0264843',
  'f302f9f50958c5593770fdf4d4812309ff77414f',
  'f9ac7b9df2b3454e841110cce5550bd5ac6f875f',
  'fada0f4547ab2de89d1304a668c39b3e09aa7c76',
  'fc8a407bba312ac761d8bfe04ce1201904842b76',
].map((factory) => `'\\x${factory}'`)

/**
 * Adds the contract that emits the events of a pool, the registrations of pools that are not read yet, and the lowest
 * reserves of downsampled states.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [
    ...['pools', 'backfill_pools'].flatMap((table) => [
      `alter table ${table} add column emitter bytea`,
      `update ${table} set emitter = '${balancerVault}'
         where kind like 'balancer-%' and factory in (${balancerFactories.join()})`,
    ]),
    'alter table pool_states add column lows numeric[]',
    `create table unread_pools (
       chain_id bigint not null,
       block_number bigint not null,
       read_block bigint,
       log_index int not null,
       factory bytea not null,
       log text not null,
       primary key (chain_id, block_number, log_index)
     )`,
    'create index unread_pools_by_read_block on unread_pools (chain_id, read_block)',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
