-- Final balances of chain 1 from the facts in facts/1, for headwater chain import. ClickHouse 23.8 or newer.
-- Run it in the folder that contains facts: mkdir -p import/1/{tokens,balances,collectible_balances,collectibles}
-- then: clickhouse local --multiquery < clickhouse.sql
-- Copy or link the folders blocks, skipped_events, sales, pools and pool_events of facts/1 to import/1.
-- Addresses are written as hex: texts of ClickHouse may be any bytes, and those of Parquet may not.

create view transfers as
select assumeNotNull(block_number) as block_number, assumeNotNull(log_index) as log_index, assumeNotNull(item) as item,
  toInt32(assumeNotNull(standard)) as standard, lower(hex(assumeNotNull(contract))) as contract,
  lower(hex(assumeNotNull(from_address))) as from_address, lower(hex(assumeNotNull(to_address))) as to_address,
  ifNull(token_id, '') as token_id, lower(hex(assumeNotNull(transaction_from))) as transaction_from,
  -- Amounts have up to 256 bits without a sign: they are summed in two parts of 39 digits.
  toInt256(substring(leftPad(assumeNotNull(amount), 78, '0'), 1, 39)) as high,
  toInt256(substring(leftPad(assumeNotNull(amount), 78, '0'), 40, 39)) as low
from file('facts/1/transfers/*.parquet', Parquet);

create view deposits as
select assumeNotNull(block_number) as block_number, assumeNotNull(log_index) as log_index,
  lower(hex(assumeNotNull(contract))) as contract, lower(hex(assumeNotNull(account))) as account
from file('facts/1/deposits/*.parquet', Parquet);

create view skipped_events as
select assumeNotNull(block_number) as block_number, assumeNotNull(log_index) as log_index,
  lower(hex(assumeNotNull(contract))) as contract
from file('facts/1/skipped_events/*.parquet', Parquet);

-- An ERC721 token belongs to the recipient of its latest transfer, whichever sender the log states.
create view owner_changes as
select *, lagInFrame(to_address, 1, '') over (
  partition by contract, token_id order by block_number, log_index, item
  rows between unbounded preceding and unbounded following
) as previous_owner
from transfers where standard = 721;

-- Blocks are 9223372036854775807 for none.
create view moves as
select standard, contract, token_id, from_address as holder, -high as high, -low as low, toInt64(-1) as moved_in,
  toInt64(if(from_address = transaction_from, block_number, 9223372036854775807)) as initiated, 1 as is_move
from transfers where standard <> 721
union all
select standard, contract, token_id, to_address, high, low, toInt64(block_number), 9223372036854775807, 1
from transfers where standard <> 721
union all
select toInt32(20), contract, '', account, toInt256(0), toInt256(0), toInt64(-1), 9223372036854775807, 1 from deposits
union all
select toInt32(721), contract, token_id, to_address, toInt256(0), toInt256(1), toInt64(block_number), 9223372036854775807, 1
from owner_changes
union all
select toInt32(721), contract, token_id, previous_owner, toInt256(0), toInt256(-1), toInt64(-1), 9223372036854775807, 1
from owner_changes where previous_owner <> ''
union all
select toInt32(721), contract, token_id, from_address, toInt256(0), toInt256(0), toInt64(-1), toInt64(block_number), 0
from owner_changes where from_address = transaction_from;

insert into function file('import/1/tokens/tokens.parquet', Parquet)
select concat('0x', contract) as address, argMin(standard, (block_number, log_index)) as standard,
  min(block_number) as first_block, argMin(log_index, (block_number, log_index)) as first_log_index,
  toInt16(groupBitOr(event)) as events
from (
  select contract, standard, block_number, log_index, multiIf(standard = 20, 1, standard = 721, 2, 4) as event from transfers
  union all
  select contract, toInt32(20), block_number, log_index, 1 from deposits
  union all
  select contract, toInt32(721), block_number, log_index, 2 from skipped_events
) events
group by events.contract;

insert into function file('import/1/balances/balances.parquet', Parquet)
with
  toInt256('1000000000000000000000000000000000000000') as base,
  intDiv(low_sum, base) as carry,
  high_sum + carry as high_part, low_sum - carry * base as low_part,
  if(high_part < 0 or (high_part = 0 and low_part < 0), -1, 1) as sign,
  high_part * sign as high_size, low_part * sign as low_size,
  if(low_size < 0, high_size - 1, high_size) as high_digits, if(low_size < 0, low_size + base, low_size) as low_digits,
  trim(leading '0' from concat(toString(high_digits), leftPad(toString(low_digits), 39, '0'))) as digits
select standard, concat('0x', contract) as contract, concat('0x', holder) as holder,
  multiIf(digits = '', '0', sign < 0, concat('-', digits), digits) as amount,
  nullIf(first_in, 9223372036854775807) as first_in_block, nullIf(first_initiated, 9223372036854775807) as initiated_block
from (
  select standard, contract, holder, sum(high) as high_sum, sum(low) as low_sum,
    min(if(moved_in < 0, 9223372036854775807, moved_in)) as first_in, min(initiated) as first_initiated
  from moves where standard <> 1155 and holder <> repeat('00', 20)
  group by standard, contract, holder
);

insert into function file('import/1/collectible_balances/collectible_balances.parquet', Parquet)
with
  toInt256('1000000000000000000000000000000000000000') as base,
  intDiv(low_sum, base) as carry,
  high_sum + carry as high_part, low_sum - carry * base as low_part,
  if(high_part < 0 or (high_part = 0 and low_part < 0), -1, 1) as sign,
  high_part * sign as high_size, low_part * sign as low_size,
  if(low_size < 0, high_size - 1, high_size) as high_digits, if(low_size < 0, low_size + base, low_size) as low_digits,
  trim(leading '0' from concat(toString(high_digits), leftPad(toString(low_digits), 39, '0'))) as digits
select concat('0x', contract) as contract, token_id, concat('0x', holder) as holder,
  multiIf(digits = '', '0', sign < 0, concat('-', digits), digits) as amount, nullIf(last_in, -1) as last_in_block
from (
  select contract, token_id, holder, sum(high) as high_sum, sum(low) as low_sum, max(moved_in) as last_in
  from moves where standard <> 20 and is_move = 1 and holder <> repeat('00', 20)
  group by contract, token_id, holder
);

insert into function file('import/1/collectibles/collectibles.parquet', Parquet)
select concat('0x', contract) as contract, token_id, min(block_number) as first_block,
  if(countIf(standard = 721) > 0,
    concat('0x', argMaxIf(to_address, (block_number, log_index, item), standard = 721)), null) as owner
from transfers where standard <> 20
group by transfers.contract, token_id;
