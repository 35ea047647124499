-- Final balances of chain 1 from the facts in facts/1, for headwater chain import. DuckDB 1.4 or newer, which has BIGNUM.
-- Run it in the folder that contains facts: mkdir -p import/1, then duckdb < duckdb.sql
-- Copy or link the folders blocks, skipped_events, sales, pools and pool_events of facts/1 to import/1.

create or replace temp view transfers as select * from read_parquet('facts/1/transfers/*.parquet');
create or replace temp view deposits as select * from read_parquet('facts/1/deposits/*.parquet');
create or replace temp view skipped_events as select * from read_parquet('facts/1/skipped_events/*.parquet');

-- An ERC721 token belongs to the recipient of its latest transfer, whichever sender the log states.
create or replace temp view owner_changes as
select *, lag(to_address) over (
  partition by contract, token_id order by block_number, log_index, item
) as previous_owner
from transfers where standard = 721;

copy (
  select contract as address,
    arg_min(standard, (block_number, log_index)) as standard,
    min(block_number) as first_block,
    arg_min(log_index, (block_number, log_index)) as first_log_index,
    bit_or(event)::smallint as events
  from (
    select contract, standard, block_number, log_index, case standard when 20 then 1 when 721 then 2 else 4 end as event
    from transfers
    union all
    select contract, 20, block_number, log_index, 1 from deposits
    union all
    select contract, 721, block_number, log_index, 2 from skipped_events
  )
  group by contract
) to 'import/1/tokens' (format parquet, compression zstd, per_thread_output);

copy (
  with moves as (
    select 20::smallint as standard, contract, from_address as holder, -(amount::bignum) as change, null::bigint as first_in,
      case when from_address = transaction_from then block_number end as initiated
    from transfers where standard = 20
    union all
    select 20, contract, to_address, amount::bignum, block_number, null from transfers where standard = 20
    union all
    select 20, contract, account, 0::bignum, null, null from deposits
    union all
    select 721, contract, to_address, 1::bignum, block_number, null from owner_changes
    union all
    select 721, contract, previous_owner, (-1)::bignum, null, null from owner_changes where previous_owner is not null
    union all
    select 721, contract, from_address, 0::bignum, null, block_number
    from owner_changes where from_address = transaction_from
  )
  select standard, contract, holder, sum(change)::varchar as amount, min(first_in) as first_in_block,
    min(initiated) as initiated_block
  from moves where holder <> unhex(repeat('00', 20))
  group by standard, contract, holder
) to 'import/1/balances' (format parquet, compression zstd, per_thread_output);

copy (
  with moves as (
    select contract, token_id, from_address as holder, -(amount::bignum) as change, null::bigint as last_in
    from transfers where standard = 1155
    union all
    select contract, token_id, to_address, amount::bignum, block_number from transfers where standard = 1155
    union all
    select contract, token_id, to_address, 1::bignum, block_number from owner_changes
    union all
    select contract, token_id, previous_owner, (-1)::bignum, null from owner_changes where previous_owner is not null
  )
  select contract, token_id, holder, sum(change)::varchar as amount, max(last_in) as last_in_block
  from moves where holder <> unhex(repeat('00', 20))
  group by contract, token_id, holder
) to 'import/1/collectible_balances' (format parquet, compression zstd, per_thread_output);

copy (
  select contract, token_id, min(block_number) as first_block,
    arg_max(to_address, (block_number, log_index, item)) filter (where standard = 721) as owner
  from transfers where standard <> 20
  group by contract, token_id
) to 'import/1/collectibles' (format parquet, compression zstd, per_thread_output);
