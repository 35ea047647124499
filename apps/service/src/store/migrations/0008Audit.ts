import { type Kysely, sql } from 'kysely'

/**
 * Adds the audit of the ledger: which tokens' amounts are read from the chain because their ledger contradicted it, the
 * position of the audit in each token, and the amounts of the holders of those tokens.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `alter table tokens
       add column amounts_from text not null default 'ledger' check (amounts_from in ('ledger', 'chain')),
       add column audited_block bigint not null default -1,
       add column compared_block bigint,
       add column audit_amount numeric not null default 'Infinity',
       add column audit_holder bytea not null default '\\x',
       add column holders_listed boolean not null default false,
       add column holders_read boolean not null default false`,
    `create index tokens_to_audit on tokens (chain_id, audited_block)
       where standard = 20 and amounts_from = 'ledger'`,
    `create index tokens_compared on tokens (chain_id, compared_block) where compared_block is not null`,
    `create index tokens_from_chain on tokens (chain_id, address) where amounts_from = 'chain'`,
    `create table chain_amounts (
       chain_id bigint not null,
       token bytea not null,
       holder bytea not null,
       amount numeric,
       block_number bigint,
       queue_block bigint not null default -1,
       primary key (chain_id, token, holder),
       foreign key (chain_id, token) references tokens (chain_id, address) on delete cascade
     )`,
    `create index chain_amounts_by_amount on chain_amounts (chain_id, token, amount desc, holder)
       where amount > 0`,
    `create index chain_amounts_to_read on chain_amounts (chain_id, token, queue_block)`,
    `create table audits (
       chain_id bigint primary key,
       checked bigint not null,
       mismatched bigint not null,
       seen_block bigint not null,
       seen_hash bytea not null
     )`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
