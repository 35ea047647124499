-- Final balances of chain 1 from the facts in facts/1, for headwater chain import. Spark 3.5 or newer.
-- Run it in the folder that contains facts: spark-sql -f spark.sql
-- Copy or link the folders blocks, skipped_events, sales, pools and pool_events of facts/1 to import/1.

create or replace temporary view transfers as select * from parquet.`facts/1/transfers`;
create or replace temporary view deposits as select * from parquet.`facts/1/deposits`;
create or replace temporary view skipped_events as select * from parquet.`facts/1/skipped_events`;

-- Amounts have up to 78 digits, and decimals 38: they are summed in three parts of 26 digits.
create or replace temporary view amounts as
select *, cast(substr(lpad(amount, 78, '0'), 1, 26) as decimal(27, 0)) as high, cast(substr(lpad(amount, 78, '0'), 27, 26) as decimal(27, 0)) as middle, cast(substr(lpad(amount, 78, '0'), 53, 26) as decimal(27, 0)) as low
from transfers;

-- An ERC721 token belongs to the recipient of its latest transfer, whichever sender the log states.
create or replace temporary view owner_changes as
select *, lag(to_address) over (
  partition by contract, token_id order by block_number, log_index, item
) as previous_owner
from transfers where standard = 721;

create or replace temporary view moves as
select standard, contract, token_id, from_address as holder, -high as high, -middle as middle, -low as low,
  cast(null as bigint) as moved_in, case when from_address = transaction_from then block_number end as initiated, true as is_move
from amounts where standard <> 721
union all
select standard, contract, token_id, to_address, high, middle, low, block_number, cast(null as bigint), true from amounts where standard <> 721
union all
select 20, contract, cast(null as string), account, cast(0 as decimal(27, 0)), cast(0 as decimal(27, 0)), cast(0 as decimal(27, 0)), cast(null as bigint), cast(null as bigint), true
from deposits
union all
select 721, contract, token_id, to_address, cast(0 as decimal(27, 0)), cast(0 as decimal(27, 0)), cast(1 as decimal(27, 0)), block_number, cast(null as bigint), true
from owner_changes
union all
select 721, contract, token_id, previous_owner, cast(0 as decimal(27, 0)), cast(0 as decimal(27, 0)), cast(-1 as decimal(27, 0)), cast(null as bigint), cast(null as bigint), true
from owner_changes where previous_owner is not null
union all
select 721, contract, token_id, from_address, cast(0 as decimal(27, 0)), cast(0 as decimal(27, 0)), cast(0 as decimal(27, 0)), cast(null as bigint), block_number, false
from owner_changes where from_address = transaction_from;

create or replace temporary view balance_sums as
select standard, contract, holder, sum(high) as high, sum(middle) as middle, sum(low) as low,
  min(moved_in) as first_in_block, min(initiated) as initiated_block
from moves where standard <> 1155 and holder <> unhex(repeat('00', 20))
group by standard, contract, holder;

create or replace temporary view collectible_sums as
select contract, token_id, holder, sum(high) as high, sum(middle) as middle, sum(low) as low, max(moved_in) as last_in_block
from moves where standard <> 20 and is_move and holder <> unhex(repeat('00', 20))
group by contract, token_id, holder;

insert overwrite directory 'import/1/tokens' using parquet
select address, standard, first_block, first_log_index, events
from (
  select contract as address, standard, block_number as first_block, log_index as first_log_index,
    max(event20) over (partition by contract) + max(event721) over (partition by contract)
      + max(event1155) over (partition by contract) as events,
    row_number() over (partition by contract order by block_number, log_index) as position
  from (
    select contract, standard, block_number, log_index, case when standard = 20 then 1 else 0 end as event20,
      case when standard = 721 then 2 else 0 end as event721, case when standard = 1155 then 4 else 0 end as event1155
    from transfers
    union all
    select contract, 20, block_number, log_index, 1, 0, 0 from deposits
    union all
    select contract, 721, block_number, log_index, 0, 2, 0 from skipped_events
  )
)
where position = 1;

insert overwrite directory 'import/1/balances' using parquet
select standard, contract, holder, first_in_block, initiated_block,
  case when digits = '' then '0' else concat(case when sign < 0 then '-' else '' end, digits) end as amount
from (
  select *, trim(leading '0' from concat(cast(cast(high as decimal(38, 0)) as string), lpad(cast(cast(middle as decimal(38, 0)) as string), 26, '0'), lpad(cast(cast(low as decimal(38, 0)) as string), 26, '0'))) as digits
  from (
    select standard, contract, holder, first_in_block, initiated_block, sign, high - case when middle < 0 then 1 else 0 end as high,
      middle + case when middle < 0 then 100000000000000000000000000BD else 0 end as middle, low
    from (
      select standard, contract, holder, first_in_block, initiated_block, sign, high, middle - case when low < 0 then 1 else 0 end as middle,
        low + case when low < 0 then 100000000000000000000000000BD else 0 end as low
      from (
        select standard, contract, holder, first_in_block, initiated_block, sign, case when sign < 0 then -high else high end as high,
          case when sign < 0 then -middle else middle end as middle, case when sign < 0 then -low else low end as low
        from (
          select *, case
            when high > 0 then 1 when high < 0 then -1
            when middle > 0 then 1 when middle < 0 then -1
            when low < 0 then -1 else 1 end as sign
          from (
            select standard, contract, holder, first_in_block, initiated_block, high + (middle div 100000000000000000000000000BD) as high, (middle % 100000000000000000000000000BD) as middle, low
            from (
              select standard, contract, holder, first_in_block, initiated_block, high, middle + (low div 100000000000000000000000000BD) as middle, (low % 100000000000000000000000000BD) as low from balance_sums
            )
          )
        )
      )
    )
  )
);

insert overwrite directory 'import/1/collectible_balances' using parquet
select contract, token_id, holder, last_in_block,
  case when digits = '' then '0' else concat(case when sign < 0 then '-' else '' end, digits) end as amount
from (
  select *, trim(leading '0' from concat(cast(cast(high as decimal(38, 0)) as string), lpad(cast(cast(middle as decimal(38, 0)) as string), 26, '0'), lpad(cast(cast(low as decimal(38, 0)) as string), 26, '0'))) as digits
  from (
    select contract, token_id, holder, last_in_block, sign, high - case when middle < 0 then 1 else 0 end as high,
      middle + case when middle < 0 then 100000000000000000000000000BD else 0 end as middle, low
    from (
      select contract, token_id, holder, last_in_block, sign, high, middle - case when low < 0 then 1 else 0 end as middle,
        low + case when low < 0 then 100000000000000000000000000BD else 0 end as low
      from (
        select contract, token_id, holder, last_in_block, sign, case when sign < 0 then -high else high end as high,
          case when sign < 0 then -middle else middle end as middle, case when sign < 0 then -low else low end as low
        from (
          select *, case
            when high > 0 then 1 when high < 0 then -1
            when middle > 0 then 1 when middle < 0 then -1
            when low < 0 then -1 else 1 end as sign
          from (
            select contract, token_id, holder, last_in_block, high + (middle div 100000000000000000000000000BD) as high, (middle % 100000000000000000000000000BD) as middle, low
            from (
              select contract, token_id, holder, last_in_block, high, middle + (low div 100000000000000000000000000BD) as middle, (low % 100000000000000000000000000BD) as low from collectible_sums
            )
          )
        )
      )
    )
  )
);

insert overwrite directory 'import/1/collectibles' using parquet
select contract, token_id, first_block, owner
from (
  select contract, token_id, min(block_number) over (partition by contract, token_id) as first_block,
    case when standard = 721 then to_address end as owner,
    row_number() over (
      partition by contract, token_id
      order by case when standard = 721 then 0 else 1 end, block_number desc, log_index desc, item desc
    ) as position
  from transfers where standard <> 20
)
where position = 1;
